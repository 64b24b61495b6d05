import { networkOf } from '../../access/network.ts'
import { ApiError } from '../../contract/declarations/errors.ts'
import type { HeaderOf } from '../../contract/requests/header-of.ts'
import type { BodyReader } from '../../pipeline/body-reader.ts'
import type { TakeTurn } from '../../pipeline/rate-limit.ts'
import type { PageParts, PageRequest } from './page-parts.ts'

/** The maximum size of a form. The longest form with all fields at their maximum length fits into it. */
export const FORM_LIMIT_BYTES = 16 * 1024

const FORM_TYPE = 'application/x-www-form-urlencoded'

/** Reads a form. Throws `unsupported_media_type`, `request_too_large`, or `parameter_invalid` for NUL characters. */
export async function readForm(
  bodies: BodyReader,
  { request, header, address }: PageRequest,
  limitBytes = FORM_LIMIT_BYTES,
): Promise<URLSearchParams> {
  const type = header('content-type')?.split(';')[0]?.trim().toLowerCase()
  if (type !== FORM_TYPE || (header('content-encoding') ?? 'identity') !== 'identity')
    throw new ApiError('unsupported_media_type', `Send the form as ${FORM_TYPE}.`)
  // The account is not known yet, so the memory limit for bodies applies to the client's address.
  const body = { request, header, accountId: `forms of ${address}`, limitBytes }
  const form = await bodies.read(body, (bytes) => new URLSearchParams(new TextDecoder().decode(bytes)))
  // NUL characters are refused here, because these forms are not validated like API bodies and PostgreSQL cannot store NUL.
  if (form.toString().includes('%00')) throw new ApiError('parameter_invalid', 'The form contains a NUL character.')
  return form
}

/**
 * Returns whether one of our pages sent a form. Browsers send `Sec-Fetch-Site`, or else `Origin`, which is `null` for pages
 * without a referrer, such as ours. Requests without both headers come from other software, which has no cookies to misuse.
 */
export function isOwnForm(header: HeaderOf, publicUrl: string): boolean {
  const site = header('sec-fetch-site')
  if (site !== null) return site === 'same-origin' || site === 'none'
  const origin = header('origin')
  return origin === null || origin === 'null' || origin === new URL(publicUrl).origin
}

/** Limits form submissions per minute, by client and by subject, to prevent guessing of cards and codes. */
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
