const MOST = 200
const KEPT_MS = 60_000

/** A cache of at most 200 values, each kept for a minute. */
export class Recent<Value> {
  readonly #known = new Map<string, { value: Value; until: number }>()

  get = (name: string): Value | undefined => {
    const found = this.#known.get(name)
    return found && found.until > Date.now() ? found.value : undefined
  }

  set = (name: string, value: Value): void => {
    this.#known.delete(name)
    this.#known.set(name, { value, until: Date.now() + KEPT_MS })
    const [oldest] = this.#known.keys()
    if (this.#known.size > MOST && oldest !== undefined) this.#known.delete(oldest)
  }

  del = (name: string): void => {
    this.#known.delete(name)
  }
}
