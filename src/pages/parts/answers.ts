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
