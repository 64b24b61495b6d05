import { networkOf } from '../../access/network.ts'
import type { RatePolicy, TakeTurn } from '../../pipeline/rate-limit.ts'
import type { SignInPageParts } from './parts.ts'

/** Bounds how often one network, and whoever means one e-mail address, may try. */
export class Tries {
  readonly #take: TakeTurn
  readonly #policy: RatePolicy

  /** `name` tells these tries from those of other pages. */
  constructor(name: string, { takeTurn, signInsPerMinute }: Pick<SignInPageParts, 'takeTurn' | 'signInsPerMinute'>) {
    this.#take = takeTurn
    this.#policy = { name, perMinute: signInsPerMinute, burst: signInsPerMinute }
  }

  /** Seconds until this try is made; 0 when it is. `email` is in its stored form, so that no spelling counts anew. */
  async waitSeconds(client: string, email: string | null): Promise<number> {
    const ofClient = await this.#take(`client ${networkOf(client)}`, this.#policy)
    return Math.max(ofClient, email === null ? 0 : await this.#take(`email ${email}`, this.#policy))
  }
}
