import { networkOf } from '../../access/network.ts'
import { waitsInMemory } from '../../pipeline/rate-limit.ts'

/** Bounds how often one network, and whoever means one e-mail address, may try. */
export class Tries {
  readonly #wait = waitsInMemory()
  readonly #policy: { perMinute: number; burst: number }

  constructor(perMinute: number) {
    this.#policy = { perMinute, burst: perMinute }
  }

  /** Seconds until this try is made; 0 when it is. `email` is in its stored form, so that no spelling counts anew. */
  waitSeconds(client: string, email: string | null): number {
    const ofClient = this.#wait(`client ${networkOf(client)}`, this.#policy)
    return Math.max(ofClient, email === null ? 0 : this.#wait(`email ${email}`, this.#policy))
  }
}
