import { readFileSync } from 'node:fs'
import { html } from 'hono/html'
import { hostMessage } from '../../../pages/hosts/hosts.ts'
import { asset } from '../../../pages/parts/asset.ts'

/** Makes browsers revalidate the files of a public site, because a rebuild replaces the whole site at once. */
export const PUBLIC_CACHING = { 'Cache-Control': 'no-cache' }
export const PRIVATE_CACHING = {
  'Cache-Control': 'private, no-cache',
  'X-Robots-Tag': 'noindex, nofollow',
  Vary: 'Cookie',
}

/**
 * The prefix of the paths that every site reserves for the service. No file of a site can have it, because names never begin with
 * a dot.
 */
export const SERVICE_PATH = '/.shopwright/'

export const BADGE_STYLE = asset(
  `${SERVICE_PATH}badge`,
  'css',
  readFileSync(new URL('./badge.css', import.meta.url), 'utf8'),
)

export function noSuchSite(): Promise<Response> {
  return hostMessage(404, 'There is no site here', 'Check the address.')
}

export function notBuilt(): Promise<Response> {
  return hostMessage(404, 'This site is not online yet', 'It has not been built. Look again later.')
}

export function noSuchPage(): Promise<Response> {
  return hostMessage(404, 'Page not found', 'There is no page at this address.')
}

export function notOpen(): Promise<Response> {
  return hostMessage(403, 'This site is not open to you', 'Its owner decides who can visit it.')
}

export function notAllowed(method: string): Promise<Response> {
  return hostMessage(405, 'Not allowed', `${method} is not allowed here.`, { Allow: 'GET, HEAD, OPTIONS' })
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
