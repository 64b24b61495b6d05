import { networkOf } from '../../access/network.ts'
import { permitsInMemory } from '../../pipeline/rate-limit.ts'

/** Bounds how often one network, and whoever means one e-mail address, may try. */
export class Tries {
  readonly #take = permitsInMemory()
  readonly #perMinute: number

  constructor(perMinute: number) {
    this.#perMinute = perMinute
  }

  /** Seconds until this try is made; 0 when it is. `email` is in its stored form, so that no spelling counts anew. */
  waitSeconds(client: string, email: string | null): number {
    const ofClient = this.#wait(`client ${networkOf(client)}`)
    return Math.max(ofClient, email === null ? 0 : this.#wait(`email ${email}`))
  }

  #wait(key: string): number {
    const left = this.#take(key, { perMinute: this.#perMinute, burst: this.#perMinute })
    return left >= 0 ? 0 : Math.max(1, Math.ceil((-left * 60) / this.#perMinute))
  }
}
