import { ApiError } from '../../contract/declarations/errors.ts'
import { waitInWords } from '../../format/durations.ts'
import { databaseRefusal } from '../../pipeline/database-refusal.ts'
import { ALWAYS } from './asset.ts'
import { type ClosedView, closedPage, type Frame, type PageLink } from './document.ts'
import type { Page } from './markup.ts'

/** URLs contain secrets, so pages send no referrer and are not cached. */
const PAGE_HEADERS = {
  ...ALWAYS,
  'Content-Security-Policy': policyOf(false),
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), microphone=(), geolocation=()',
  'Cache-Control': 'no-store',
  'X-Robots-Tag': 'noindex, nofollow',
}

function policyOf(scripts: boolean): string {
  const own = scripts ? " script-src 'self'; connect-src 'self';" : ''
  return `default-src 'none';${own} style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`
}

interface PageOptions {
  scripts?: boolean
  status?: number
  headers?: Record<string, string>
  refresh?: { seconds: number; address?: string }
}

export async function pageAnswer(
  page: Page,
  { status = 200, headers, refresh, scripts = false }: PageOptions = {},
): Promise<Response> {
  const type = { 'Content-Type': 'text/html; charset=utf-8' }
  const policy = scripts ? { 'Content-Security-Policy': policyOf(true) } : {}
  const all = { ...PAGE_HEADERS, ...policy, ...type, ...headers, ...(refresh && { Refresh: refreshText(refresh) }) }
  return new Response(String(await page), { status, headers: all })
}

/** Redirects after a form, so that reloading does not submit it again. */
export function seeOther(address: string, headers: Record<string, string> = {}): Response {
  return new Response(null, { status: 303, headers: { ...PAGE_HEADERS, ...headers, Location: address } })
}

function refreshText({ seconds, address }: NonNullable<PageOptions['refresh']>): string {
  return address === undefined ? String(seconds) : `${seconds}; url=${new URL(address).href}`
}

const NO_SHOP: Frame = { shop: null, test: false }

/** The error pages for the pages behind a `Gate`. */
export interface Refusals {
  foreignForm(ownUrl: string): Promise<Response>
  tooManyPosts(seconds: number): Promise<Response>
  failure(error: unknown, requestId: string, ownUrl: string): Promise<Response>
}

/** Returns the page for an incomplete or mistyped URL, or for something that was deleted. */
export function unknownAnswer(homeUrl: string): Promise<Response> {
  return refused(404, {
    title: 'Page not found',
    words:
      'The link may be incomplete: some e-mail programs cut off long links. Open it again from where you found it, or ask the shop for a new one.',
    way: { url: homeUrl, words: 'Go to the start page' },
  })
}

/** Returns the page for a path that the service does not have. */
export function noPageAnswer(publicUrl: string): Promise<Response> {
  return refused(404, {
    title: 'Page not found',
    words: 'Check the address, or go to the start page for the documentation and the dashboard.',
    way: { url: `${publicUrl}/`, words: 'Go to the start page' },
  })
}

export function failureAnswer(error: unknown, requestId: string): Promise<Response> {
  const refusal = databaseRefusal(error)
  if (refusal) return unavailableAnswer(refusal)
  return refused(500, {
    title: 'Something went wrong on our side',
    words: `Please try again. If this happens again, give the operator of this service this number: ${requestId}.`,
  })
}

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

interface RefusalWords {
  /** The text after a form from another site, which says that the form was rejected and what to do. */
  foreign: string
  tooMany: string
  /** The link to the page itself, after a form from another site. */
  open: string
  openAgain: string
  /** A sentence that says what did not happen, such as `Nothing was charged.` */
  undone: string
  busy: string
  /** Returns the text after an internal failure, with the id of the request. */
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
  way: PageLink,
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
  { title, words, way }: Pick<ClosedView, 'title' | 'words'> & { way?: PageLink },
  headers: Record<string, string> = {},
): Promise<Response> {
  return pageAnswer(closedPage({ frame: NO_SHOP, title, words, way: way ?? null }), { status, headers })
}

/** Responds to OPTIONS, and to other methods with a 405. Pages without forms pass a shorter `Allow`. */
export async function methodAnswer(method: string, Allow = 'GET, HEAD, POST, OPTIONS'): Promise<Response> {
  if (method === 'OPTIONS') return new Response(null, { status: 204, headers: { Allow } })
  return refused(405, { title: 'Not allowed on this page', words: `${method} is not allowed on this page.` }, { Allow })
}
