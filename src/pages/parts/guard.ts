import { networkOf } from '../../access/network.ts'
import type { HeaderOf } from '../../contract/header-of.ts'
import { waitsInMemory } from '../../pipeline/rate-limit.ts'

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
  readonly #wait = waitsInMemory()
  readonly #ofClient: number
  readonly #aboutOne: number

  constructor(ofClient: number, aboutOne = ofClient) {
    this.#ofClient = ofClient
    this.#aboutOne = aboutOne
  }

  /** Seconds until the next form is taken; 0 when this one is. */
  waitSeconds(address: string, about: string): number {
    const ofClient = this.#wait(networkOf(address), { perMinute: this.#ofClient, burst: this.#ofClient })
    return Math.max(ofClient, this.#wait(about, { perMinute: this.#aboutOne, burst: this.#aboutOne }))
  }
}
