/** The rows of one account whose descriptions are lists. Full ones are left for new ones, so that lists stay short. */
export interface Key {
  /** The product's id. */
  id: string
  appends: number
}

const ACTIVE = 4
/** Appends to one key, as many as its reads then carry. */
const MOST_APPENDS = 30

/** Which keys of an account are used now, and all that ever were. */
export class Keys {
  readonly all: Key[] = []
  readonly #active: Key[] = []
  readonly #make: () => Promise<string>
  #making: Promise<void> | null = null

  /** `make` makes a product with an empty list and gives its id. */
  constructor(make: () => Promise<string>) {
    this.#make = make
  }

  async fill(): Promise<void> {
    while (this.#active.length < ACTIVE) await this.#add()
  }

  async #add(): Promise<void> {
    const key = { id: await this.#make(), appends: 0 }
    this.all.push(key)
    this.#active.push(key)
  }

  pick(): Key {
    return this.#active[Math.floor(Math.random() * this.#active.length)]!
  }

  /** Counts an append, and replaces the key when it is full. Making a new one may fail for a while. */
  appended(key: Key): void {
    key.appends++
    if (key.appends < MOST_APPENDS || !this.#active.includes(key) || this.#making) return
    this.#making = this.#add()
      .then(() => {
        this.#active.splice(this.#active.indexOf(key), 1)
      })
      .catch(() => {})
      .finally(() => {
        this.#making = null
      })
  }
}
