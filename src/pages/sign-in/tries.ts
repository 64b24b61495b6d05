import { networkOf } from '../../access/network.ts'
import type { People } from '../../access/people/people.ts'
import type { RatePolicy, TakeTurn } from '../../pipeline/rate-limit.ts'
import type { PageParts } from '../parts/parts.ts'

/**
 * Limits sign-in attempts per network and per e-mail address. A browser that has signed in with the address before has a limit of
 * its own, so that strangers cannot lock its user out.
 */
export class AttemptLimit {
  readonly #take: TakeTurn
  readonly #policy: RatePolicy

  /** `name` keeps the count apart from other pages. */
  constructor(name: string, { takeTurn, signInsPerMinute }: Pick<SignInPageParts, 'takeTurn' | 'signInsPerMinute'>) {
    this.#take = takeTurn
    this.#policy = { name, perMinute: signInsPerMinute, burst: signInsPerMinute }
  }

  /** Returns the seconds to wait before another attempt of a client, or 0. */
  ofClient(client: string): Promise<number> {
    return this.#take(`client ${networkOf(client)}`, this.#policy)
  }

  /** Like `ofClient`, but for an attempt with an address in its stored form. `browser` has signed in with it before, or is null. */
  async ofAddress(client: string, email: string, browser: string | null): Promise<number> {
    if (browser !== null) return this.#take(`browser ${browser}`, this.#policy)
    const ofClient = await this.ofClient(client)
    return ofClient > 0 ? ofClient : this.#take(`email ${email}`, this.#policy)
  }
}

export interface SignInPageParts extends PageParts {
  people: People
  /** Sign-in attempts per minute of one network, for one e-mail address and of one known browser. */
  signInsPerMinute: number
}
