import { networkOf } from '../../access/network.ts'
import type { TakeTurn } from '../../pipeline/rate-limit.ts'
import type { PageParts } from './page-parts.ts'

/** Limits form submissions per minute, by client and by subject, so that nobody can guess cards and codes. */
export class PostLimit {
  readonly #take: TakeTurn
  readonly #name: string
  readonly #ofClient: number
  readonly #aboutOne: number

  /** `name` separates the count from that of other pages. All replicas share the count. */
  constructor(
    name: string,
    { takeTurn }: Pick<PageParts, 'takeTurn'>,
    { ofClient, aboutOne = ofClient }: { ofClient: number; aboutOne?: number },
  ) {
    this.#take = takeTurn
    this.#name = name
    this.#ofClient = ofClient
    this.#aboutOne = aboutOne
  }

  /** Returns the seconds to wait, or 0 if the form is accepted. Without a subject `about`, only the client's limit applies. */
  async waitSeconds(address: string, about?: string): Promise<number> {
    const ofClient = await this.#most(`client ${networkOf(address)}`, this.#ofClient)
    // The client's limit is checked first, so that a refused client cannot create a count for each subject that it invents.
    return ofClient > 0 || about === undefined ? ofClient : this.#most(`about ${about}`, this.#aboutOne)
  }

  async #most(who: string, perMinute: number): Promise<number> {
    if (perMinute === Number.POSITIVE_INFINITY) return 0
    return this.#take(who, { name: this.#name, perMinute, burst: perMinute })
  }
}
