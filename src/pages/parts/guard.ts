import { networkOf } from '../../access/network.ts'
import type { HeaderOf } from '../../contract/requests/header-of.ts'
import type { TakeTurn } from '../../pipeline/rate-limit.ts'
import type { PageParts } from './parts.ts'

/** Fields of the longest form, each at its longest, and room besides. */
export const FORM_LIMIT_BYTES = 16 * 1024

/**
 * Whether a form came from our own page. Browsers say so in `Sec-Fetch-Site`; those too old for it send `Origin`, which is
 * `null` because our pages send no referrer. Programs send neither, and hold no cookies of somebody else.
 */
export function isOwnForm(header: HeaderOf, publicUrl: string): boolean {
  const site = header('sec-fetch-site')
  if (site !== null) return site === 'same-origin' || site === 'none'
  const origin = header('origin')
  return origin === null || origin === 'null' || origin === new URL(publicUrl).origin
}

/**
 * Bounds the forms that one client sends a minute, and those that are about one thing, so that nobody tries cards or codes
 * one after the other.
 */
export class PostLimit {
  readonly #take: TakeTurn
  readonly #name: string
  readonly #ofClient: number
  readonly #aboutOne: number

  /** `name` tells these forms from those of other pages; they are counted together by all replicas. */
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

  /** Seconds until the next form is taken; 0 when this one is. Without `about`, only the forms of the client are counted. */
  async waitSeconds(address: string, about?: string): Promise<number> {
    const ofClient = await this.#most(`client ${networkOf(address)}`, this.#ofClient)
    // A client that is refused makes no bucket of each address that it thinks of.
    return ofClient > 0 || about === undefined ? ofClient : this.#most(`about ${about}`, this.#aboutOne)
  }

  async #most(who: string, perMinute: number): Promise<number> {
    if (perMinute === Number.POSITIVE_INFINITY) return 0
    return this.#take(who, { name: this.#name, perMinute, burst: perMinute })
  }
}
