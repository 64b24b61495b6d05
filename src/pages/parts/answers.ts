import { ALWAYS } from './asset.ts'
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
