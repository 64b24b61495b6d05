import { networkOf } from '../../access/network.ts'
import type { People } from '../../access/people/people.ts'
import type { RatePolicy, TakeTurn } from '../../pipeline/rate-limit.ts'
import type { PageParts } from '../parts/parts.ts'

/**
 * Bounds how often one network, and whoever means one e-mail address, may try. A browser in which somebody has signed in with the
 * address before has a budget of its own, so that strangers cannot keep that person out.
 */
export class Tries {
  readonly #take: TakeTurn
  readonly #policy: RatePolicy

  /** `name` tells these tries from those of other pages. */
  constructor(name: string, { takeTurn, signInsPerMinute }: Pick<SignInPageParts, 'takeTurn' | 'signInsPerMinute'>) {
    this.#take = takeTurn
    this.#policy = { name, perMinute: signInsPerMinute, burst: signInsPerMinute }
  }

  /** Seconds until one more try of a client may be made; 0 when it may be now. */
  ofClient(client: string): Promise<number> {
    return this.#take(`client ${networkOf(client)}`, this.#policy)
  }

  /** The same for tries that mean one address, in its stored form. `browser` is known for it, or null. */
  async ofAddress(client: string, email: string, browser: string | null): Promise<number> {
    if (browser !== null) return this.#take(`browser ${browser}`, this.#policy)
    const ofClient = await this.ofClient(client)
    return ofClient > 0 ? ofClient : this.#take(`email ${email}`, this.#policy)
  }
}

export interface SignInPageParts extends PageParts {
  people: People
  /** Times a minute that one network, one e-mail address, and one browser that is known for it, may try to sign in. */
  signInsPerMinute: number
}
