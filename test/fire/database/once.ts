import { setTimeout as delay } from 'node:timers/promises'
import type { BurningShop } from './shop.ts'

/** A client repeats what was cut off or refused until it has an answer. */
const TRIES = 400
const PAUSE_MS = 300
let next = 0

/** Programs with `# once:` and requests with an `Idempotency-Key`, which clients repeat until they are answered. */
export class Once {
  readonly #shop: BurningShop
  /** The result of each program, by its key. */
  readonly #results = new Map<string, string>()
  /** The product that each request made, by the name it gave. */
  readonly #products = new Map<string, string>()
  #repeated = 0

  constructor(shop: BurningShop) {
    this.#shop = shop
  }

  /** A program whose result differs with every run, so that a second one would show. */
  async run(): Promise<void> {
    const key = `once-${next++}`
    const code = `# once: ${key}\npost("/tags", name: "${key}.#{rand(1_000_000_000)}")["name"]`
    for (let tries = 0; tries < TRIES; tries++) {
      const answer = await this.#shop.anyServer.tool('code_execute', code, this.#shop.token).catch(() => null)
      if (answer?.committed && !answer.error) {
        this.#results.set(key, answer.result)
        return
      }
      this.#repeated++
      await delay(PAUSE_MS)
    }
    throw new Error(`${key} was never carried out.`)
  }

  /** Products may have the same name, so a second one would show. */
  async post(): Promise<void> {
    const name = `keyed-${next++}`
    for (let tries = 0; tries < TRIES; tries++) {
      const headers = { 'Idempotency-Key': name }
      const answer = await this.#shop.api('POST', '/products', { name }, { headers }).catch(() => null)
      if (answer?.status === 201) {
        this.#products.set(name, answer.body.id)
        return
      }
      this.#repeated++
      await delay(PAUSE_MS)
    }
    throw new Error(`${name} was never made.`)
  }

  async problems(): Promise<string[]> {
    const tags = await this.#all('/tags')
    const products = await this.#all('/products')
    return [
      ...[...this.#results].flatMap(([key, result]) => {
        const found = tags.filter(({ name }) => name.startsWith(`${key}.`)).map(({ name }) => name)
        return found.length === 1 && found[0] === result
          ? []
          : [`${key} answered ${result} and made ${found.join(', ')}`]
      }),
      ...[...this.#products].flatMap(([name, id]) => {
        const found = products.filter((one) => one.name === name).map((one) => one.id)
        return found.length === 1 && found[0] === id ? [] : [`${name} answered ${id} and made ${found.join(', ')}`]
      }),
    ]
  }

  async #all(path: string): Promise<{ id: string; name: string }[]> {
    const found: { id: string; name: string }[] = []
    for (let after = ''; ; ) {
      const { body } = await this.#shop.api('GET', `${path}?limit=100${after}`)
      found.push(...body.data)
      if (!body.has_more) return found
      after = `&starting_after=${body.data.at(-1).id}`
    }
  }

  get counts(): Record<string, number> {
    return { programs: this.#results.size, 'keyed requests': this.#products.size, 'asked again': this.#repeated }
  }
}
