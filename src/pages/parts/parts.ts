import { networkOf } from '../../access/network.ts'
import type { Caller } from '../../contract/declarations/caller.ts'
import { ApiError } from '../../contract/declarations/errors.ts'
import type { HeaderOf } from '../../contract/requests/header-of.ts'
import type { Database } from '../../database/database.ts'
import type { BodyReader } from '../../pipeline/body-reader.ts'
import { databaseRefusal } from '../../pipeline/database-refusal.ts'
import type { TakeTurn } from '../../pipeline/rate-limit.ts'
import type { Pipeline } from '../../pipeline/run.ts'
import type { Services } from '../../records/services.ts'
import type { Tables } from '../../resources/tables.ts'
import { waitInWords } from '../../words/durations.ts'
import { ALWAYS } from './asset.ts'
import { closedPage } from './closed.ts'
import type { Frame } from './document.ts'
import type { Page } from './markup.ts'

const NO_SHOP: Frame = { shop: null, test: false }

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

/** What a page says when it does not do what a form asks. */
export interface Refusals {
  /** The form did not come from our own page. */
  foreignForm(ownUrl: string): Promise<Response>
  tooManyPosts(seconds: number): Promise<Response>
  failure(error: unknown, requestId: string, ownUrl: string): Promise<Response>
}

/** The address leads to nothing: mistyped, shortened, or of something that is gone. */
export function unknownAnswer(homeUrl: string): Promise<Response> {
  return refused(404, {
    title: 'Page not found',
    words:
      'The link may be incomplete: some e-mail programs cut off long links. Open it again from where you found it, or ask the shop for a new one.',
    way: { url: homeUrl, words: 'Go to the start page' },
  })
}

/** There is no such page of the service at all. */
export function noPageAnswer(publicUrl: string): Promise<Response> {
  return refused(404, {
    title: 'Page not found',
    words: 'Check the address, or go to the start page for the documentation and the dashboard.',
    way: { url: `${publicUrl}/`, words: 'Go to the start page' },
  })
}

/** A failure on a page that has no words of its own for it. */
export function failureAnswer(error: unknown, requestId: string): Promise<Response> {
  const refusal = databaseRefusal(error)
  if (refusal) return unavailableAnswer(refusal)
  return refused(500, {
    title: 'Something went wrong on our side',
    words: `Please try again. If this happens again, give the operator of this service this number: ${requestId}.`,
  })
}

/** The database does not answer, or others keep it busy. */
export function unavailableAnswer({ status, headers }: ApiError): Promise<Response> {
  const words = 'Nothing was changed. Please try again in a moment.'
  return refused(status, { title: 'The service is temporarily unavailable', words }, headers)
}

export function guessedAnswer(waitMs: number): Promise<Response> {
  const seconds = Math.ceil(waitMs / 1000)
  return slowDown('Too many invalid addresses were requested from your network.', seconds)
}

export function slowDown(words: string, seconds: number): Promise<Response> {
  const again = `${words} Go back and try again in ${waitInWords(seconds)}.`
  return refused(429, { title: 'Please wait a moment', words: again }, { 'Retry-After': String(seconds) })
}

/** The words of pages of one kind, for what all of them refuse. */
interface RefusalWords {
  /** Of a form from another site: that it was not taken, and what to do. */
  foreign: string
  tooMany: string
  /** The way to the page itself, in the refusal of such a form and after a failure. */
  open: string
  openAgain: string
  /** What was not done, as a sentence. */
  undone: string
  /** The title while others keep the service busy. */
  busy: string
  /** Of a failure of ours, whose number is `requestId`. */
  broken(requestId: string): string
}

export function refusalsIn(words: RefusalWords): Refusals {
  return {
    foreignForm: (url) =>
      refused(403, {
        title: 'This form was sent from another site',
        words: `For your safety ${words.foreign}`,
        way: { url, words: words.open },
      }),
    tooManyPosts: (seconds) => slowDown(words.tooMany, seconds),
    failure: (error, requestId, url) => failure(words, error, requestId, { url, words: words.openAgain }),
  }
}

function failure(
  { undone, busy, broken }: RefusalWords,
  error: unknown,
  requestId: string,
  way: { url: string; words: string },
): Promise<Response> {
  if (error instanceof ApiError && [413, 415, 400, 503].includes(error.status)) {
    const words = `${error.message} ${undone}`
    const title = error.status === 503 ? busy : 'The form could not be read'
    return refused(error.status, { title, words, way }, error.headers)
  }
  const busyFor = databaseRefusal(error)
  if (busyFor) {
    const words = `${undone} Please try again in a moment.`
    return refused(busyFor.status, { title: busy, words, way }, busyFor.headers)
  }
  return refused(500, { title: 'Something went wrong on our side', words: broken(requestId), way })
}

export function refused(
  status: number,
  { title, words, way }: { title: string; words: string; way?: { url: string; words: string } },
  headers: Record<string, string> = {},
): Promise<Response> {
  return pageAnswer(closedPage({ frame: NO_SHOP, title, words, way: way ?? null }), { status, headers })
}

/** Pages are looked at and posted to, and nothing else. `Allow` is the header of those that are less. */
export async function methodAnswer(method: string, Allow = 'GET, HEAD, POST, OPTIONS'): Promise<Response> {
  if (method === 'OPTIONS') return new Response(null, { status: 204, headers: { Allow } })
  return refused(405, { title: 'Not allowed on this page', words: `${method} is not allowed on this page.` }, { Allow })
}
