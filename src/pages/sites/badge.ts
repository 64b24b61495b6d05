import { readFileSync } from 'node:fs'
import { html } from 'hono/html'
import { asset } from '../parts/asset.ts'

/** Paths below it are the service's on every site. No file of a site can have one, since names never begin with a dot. */
export const BELOW = '/.shopwright/'

export const BADGE_STYLE = asset(`${BELOW}badge`, 'css', readFileSync(new URL('./badge.css', import.meta.url), 'utf8'))

/** A page with the words that say what it was made with, at the end of its body. */
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
