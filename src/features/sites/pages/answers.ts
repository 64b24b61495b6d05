import { readFileSync } from 'node:fs'
import { html } from 'hono/html'
import { asset } from '../../../pages/parts/asset.ts'

/** Blocks content of other sites, requests to them, and framing. Sites have another origin than the service, so they cannot reach it. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "media-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

export const SITE_HEADERS = {
  'Content-Security-Policy': POLICY,
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'strict-origin-when-cross-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), microphone=(), geolocation=(), payment=()',
}

/** Browsers must revalidate the files of a public site, because a rebuild replaces the site at once. */
export const PUBLIC_CACHING = { 'Cache-Control': 'no-cache' }
export const PRIVATE_CACHING = {
  'Cache-Control': 'private, no-cache',
  'X-Robots-Tag': 'noindex, nofollow',
  Vary: 'Cookie',
}
export const NO_STORE = { 'Cache-Control': 'no-store', 'X-Robots-Tag': 'noindex, nofollow' }

/** The prefix of paths that are reserved for the service on every site. No file has such a path, because names never begin with a dot. */
export const SERVICE_PATH = '/.shopwright/'

export const BADGE_STYLE = asset(
  `${SERVICE_PATH}badge`,
  'css',
  readFileSync(new URL('./badge.css', import.meta.url), 'utf8'),
)

export async function siteMessage(status: number, title: string, words: string, more = {}): Promise<Response> {
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>body { margin: 0; min-height: 100vh; display: grid; place-content: center; padding: 2rem; font: 1.0625rem/1.6 system-ui, sans-serif } h1 { margin: 0 0 0.5rem; font-size: 1.75rem; line-height: 1.2 } p { margin: 0 }</style>
</head>
<body><main><h1>${title}</h1><p>${words}</p></main></body>
</html>`
  const headers = { ...SITE_HEADERS, ...NO_STORE, 'Content-Type': 'text/html; charset=utf-8', ...more }
  return new Response(String(await page), { status, headers })
}

export function noSuchSite(): Promise<Response> {
  return siteMessage(404, 'There is no site here', 'Check the address.')
}

export function notBuilt(): Promise<Response> {
  return siteMessage(404, 'This site is not online yet', 'It has not been built. Look again later.')
}

export function noSuchPage(): Promise<Response> {
  return siteMessage(404, 'Page not found', 'There is no page at this address.')
}

export function notOpen(): Promise<Response> {
  return siteMessage(403, 'This site is not open to you', 'Its owner decides who can visit it.')
}

export function notAllowed(method: string): Promise<Response> {
  return siteMessage(405, 'Not allowed', `${method} is not allowed here.`, { Allow: 'GET, HEAD, OPTIONS' })
}

export function withBadge(page: string, publicUrl: string): string {
  const end = page.toLowerCase().lastIndexOf('</body>')
  const at = end < 0 ? page.length : end
  return page.slice(0, at) + badgeOf(publicUrl) + page.slice(at)
}

function badgeOf(publicUrl: string): string {
  return String(
    html`<link rel="stylesheet" href="${BADGE_STYLE.address}"><aside class="shopwright-badge" aria-label="About this site"><a href="${publicUrl}/" rel="noopener">Made with Shopwright</a></aside>`,
  )
}
