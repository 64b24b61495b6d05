import { ALWAYS, etagOf, namesTag } from '../parts/asset.ts'
import type { Page } from '../parts/markup.ts'

/** Where a page loads frames, and films and sounds, from. */
export interface Places {
  frames: readonly string[]
  media: readonly string[]
}

/** No script runs on these pages. Pictures may be anywhere, since merchants name them in their texts. */
function policyOf({ frames, media }: Places, { forms, framed }: { forms: boolean; framed: boolean }): string {
  const inFrames = frames.length > 0 ? `frame-src ${frames.join(' ')}; ` : ''
  return `default-src 'none'; style-src 'self'; img-src 'self' https:; media-src ${["'self'", ...media].join(' ')}; ${inFrames}form-action ${forms ? "'self'" : "'none'"}; base-uri 'none'; frame-ancestors ${framed ? "'self'" : "'none'"}`
}

const NO_PLACES: Places = { frames: [], media: [] }

const OF_PAGES = {
  ...ALWAYS,
  'Content-Type': 'text/html; charset=utf-8',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), microphone=(), geolocation=()',
}

/** Whoever keeps a page asks whether it is still right: prices and stock change at any time. */
const PUBLIC = { 'Cache-Control': 'no-cache', 'Referrer-Policy': 'strict-origin-when-cross-origin' }
/** Their addresses are capabilities. */
const SECRET = { 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer', 'X-Robots-Tag': 'noindex, nofollow' }

interface ShopAnswerOptions {
  status?: number
  /** Its address lets its holder see what others may not. */
  secret?: boolean
  /** It has forms, which go to this service. */
  forms?: boolean
  headers?: Record<string, string>
  /** What it loads from elsewhere. */
  places?: Places
  /** A page of the dashboard shows it in a frame. */
  framed?: boolean
}

export async function shopAnswer(
  page: Page,
  {
    status = 200,
    secret = false,
    forms = false,
    framed = false,
    headers: more = {},
    places = NO_PLACES,
  }: ShopAnswerOptions = {},
): Promise<Response> {
  const html = String(await page)
  const policy = { 'Content-Security-Policy': policyOf(places, { forms, framed }) }
  const frame = { 'X-Frame-Options': framed ? 'SAMEORIGIN' : 'DENY' }
  const headers = { ...OF_PAGES, ...policy, ...frame, ...(secret ? SECRET : PUBLIC), ...more }
  return new Response(html, {
    status,
    headers: secret || status !== 200 ? headers : { ...headers, ETag: etagOf(html) },
  })
}

/** The answer to a client that holds pages already: without the page when it is one of those. */
export function unlessHeld(answer: Response, ifNoneMatch: string | null | undefined): Response {
  const etag = answer.headers.get('etag')
  if (etag === null || !namesTag(ifNoneMatch, etag)) return answer
  return new Response(null, { status: 304, headers: answer.headers })
}
