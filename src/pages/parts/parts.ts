import { networkOf } from '../../access/network.ts'
import type { Caller } from '../../contract/declarations/caller.ts'
import { ApiError } from '../../contract/declarations/errors.ts'
import type { HeaderOf } from '../../contract/requests/header-of.ts'
import type { Database } from '../../database/database.ts'
import type { BodyReader } from '../../pipeline/body-reader.ts'
import type { TakeTurn } from '../../pipeline/rate-limit.ts'
import type { Pipeline } from '../../pipeline/run.ts'
import type { Services } from '../../records/services.ts'
import type { Tables } from '../../resources/tables.ts'
import { ALWAYS } from './asset.ts'
import type { Page } from './markup.ts'

/** No script but our own runs on these pages, and only where the page says so; nothing is loaded from elsewhere. Their addresses hold a secret: no referrer, no cache. */
const OF_PAGES = {
  ...ALWAYS,
  'Content-Security-Policy': policyOf(false),
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), microphone=(), geolocation=()',
  'Cache-Control': 'no-store',
  'X-Robots-Tag': 'noindex, nofollow',
}

/** Fields of the longest form, each at its longest, and room besides. */
export const FORM_LIMIT_BYTES = 16 * 1024

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

const FORM_TYPE = 'application/x-www-form-urlencoded'

export interface PageParts {
  pipeline: Pipeline
  services: Services
  database: Database<Tables>
  bodies: BodyReader
  /** Without a slash at its end. */
  publicUrl: string
  /** Bounds what clients without a token may do, over all replicas. */
  takeTurn: TakeTurn
  /** Forms that one client may send a minute. */
  postsPerMinute: number
  log: { error(details: object, message: string): void }
}

/** One request for a page, as it came. */
export interface PageRequest {
  request: Request
  address: string
  /** A header by its lower-case name. */
  header: HeaderOf
  requestId: string
  /** The address of the shop's own domain that it came to, without a slash at the end; null at the service's own address. */
  ownDomain: string | null
  /** Says for whom it is answered, so that the line of the log names the account. */
  noteCaller(caller: Caller): void
  /** Lets its body take so many milliseconds, where that is longer than bodies usually may. */
  allowLong(ms: number): void
}

/** The fields of a posted form. Throws `unsupported_media_type` or `request_too_large`. */
export async function readForm(
  bodies: BodyReader,
  { request, header, address }: PageRequest,
  limitBytes = FORM_LIMIT_BYTES,
): Promise<URLSearchParams> {
  const type = header('content-type')?.split(';')[0]?.trim().toLowerCase()
  if (type !== FORM_TYPE || (header('content-encoding') ?? 'identity') !== 'identity')
    throw new ApiError('unsupported_media_type', `Send the form as ${FORM_TYPE}.`)
  // Nobody has signed in here, so what one sender holds of the memory is counted by its address.
  const body = { request, header, accountId: `forms of ${address}`, limitBytes }
  return bodies.read(body, (bytes) => new URLSearchParams(new TextDecoder().decode(bytes)))
}

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

function policyOf(scripts: boolean): string {
  const own = scripts ? " script-src 'self'; connect-src 'self';" : ''
  return `default-src 'none';${own} style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`
}

interface PageOptions {
  /** The page has a script of ours. */
  scripts?: boolean
  status?: number
  headers?: Record<string, string>
  /** Seconds after which the browser loads the page, or another address, by itself. */
  refresh?: { seconds: number; address?: string }
}

export async function pageAnswer(
  page: Page,
  { status = 200, headers, refresh, scripts = false }: PageOptions = {},
): Promise<Response> {
  const type = { 'Content-Type': 'text/html; charset=utf-8' }
  const policy = scripts ? { 'Content-Security-Policy': policyOf(true) } : {}
  const all = { ...OF_PAGES, ...policy, ...type, ...headers, ...(refresh && { Refresh: refreshText(refresh) }) }
  return new Response(String(await page), { status, headers: all })
}

/** After a form: the browser asks for the address with GET, so that reloading repeats nothing. */
export function seeOther(address: string, headers: Record<string, string> = {}): Response {
  return new Response(null, { status: 303, headers: { ...OF_PAGES, ...headers, Location: address } })
}

function refreshText({ seconds, address }: NonNullable<PageOptions['refresh']>): string {
  return address === undefined ? String(seconds) : `${seconds}; url=${new URL(address).href}`
}
