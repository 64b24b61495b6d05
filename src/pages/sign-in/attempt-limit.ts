import { networkOf } from '../../access/network.ts'
import type { RatePolicy, TakeTurn } from '../../pipeline/rate-limit.ts'
import type { SignInPageParts } from './own-path.ts'

/** Limits sign-in attempts by network and email address. A known browser has its own limit, so that strangers cannot lock out the user. */
export class AttemptLimit {
  readonly #take: TakeTurn
  readonly #policy: RatePolicy

  /** `name` separates the count from that of other pages. */
  constructor(name: string, { takeTurn, signInsPerMinute }: Pick<SignInPageParts, 'takeTurn' | 'signInsPerMinute'>) {
    this.#take = takeTurn
    this.#policy = { name, perMinute: signInsPerMinute, burst: signInsPerMinute }
  }

  /** Returns the seconds that a client has to wait before its next attempt, or 0. */
  ofClient(client: string): Promise<number> {
    return this.#take(`client ${networkOf(client)}`, this.#policy)
  }

  /** Returns the seconds to wait, or 0. `browser` is the id of a browser that has signed in with the normalized address before, or null. */
  async ofAddress(client: string, email: string, browser: string | null): Promise<number> {
    if (browser !== null) return this.#take(`browser ${browser}`, this.#policy)
    const ofClient = await this.ofClient(client)
    return ofClient > 0 ? ofClient : this.#take(`email ${email}`, this.#policy)
  }
}
