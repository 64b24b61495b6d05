import { ALWAYS } from '../../parts/asset.ts'
import type { Page } from '../../parts/document.ts'
import { importMapHash } from './scripts.ts'

const OF_PAGES = {
  ...ALWAYS,
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), microphone=(), geolocation=(), payment=()',
  'Cache-Control': 'no-store',
  'X-Robots-Tag': 'noindex, nofollow',
}

/** The style element that Turbo makes for its progress bar, as it is in the version that is installed. */
const TURBO_STYLE_HASH = 'sha256-WAyOw4V+FqDc35lQPyRADLBWbuNK8ahvYEaQIYF1+Ps='

/** Scripts and styles are files of ours; the one script in the page is the import map, which its hash names. */
function contentPolicy({ nonce, sendsTo }: Pick<AnswerOptions, 'nonce' | 'sendsTo'>): string {
  const styles = nonce === undefined ? '' : ` 'nonce-${nonce}'`
  return [
    "default-src 'none'",
    `script-src 'self' '${importMapHash()}'`,
    `style-src 'self' '${TURBO_STYLE_HASH}'${styles}`,
    "img-src 'self' https: data:",
    "media-src 'self' https:",
    "frame-src 'self'",
    `connect-src 'self'${sendsTo ? ` ${sendsTo}` : ''}`,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

interface AnswerOptions {
  status?: number
  /** Lets style elements with this nonce in, for an editor that makes them itself. */
  nonce?: string | undefined
  /** An address of another service below which its scripts may send requests. */
  sendsTo?: string | null
  headers?: Record<string, string>
}

/** A page of the dashboard. */
export async function dashboardAnswer(page: Page, { status = 200, headers, ...policy }: AnswerOptions = {}) {
  const type = { 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': contentPolicy(policy) }
  return new Response(String(await page), { status, headers: { ...OF_PAGES, ...type, ...headers } })
}

/** After a form: the browser asks for the address with GET, so that reloading repeats nothing. */
export function goTo(address: string): Response {
  return new Response(null, { status: 303, headers: { ...OF_PAGES, Location: address } })
}

/** A file to keep, such as a list as CSV. */
export function downloadAnswer(body: BodyInit, name: string, type: string): Response {
  const headers = { 'Content-Type': type, 'Content-Disposition': `attachment; filename="${name}"` }
  return new Response(body, {
    headers: { ...OF_PAGES, ...headers, 'Content-Security-Policy': "default-src 'none'; sandbox" },
  })
}
