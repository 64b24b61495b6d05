import { readFileSync } from 'node:fs'
import { html } from 'hono/html'
import { ALWAYS } from './asset.ts'

const TEXT = readFileSync(new URL('./icon.svg', import.meta.url), 'utf8')

/** Where browsers find the icon of the service: the address that pages name, and the one that they try by themselves. */
export const ICON_ADDRESSES = ['/favicon.svg', '/favicon.ico'] as const

const ICON_LINK = html`<link rel="icon" type="image/svg+xml" href="${ICON_ADDRESSES[0]}">`

/** What the head of every page begins with. */
export const HEAD = html`<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${ICON_LINK}`

/** Keeps a page out of search engines. */
export const UNLISTED = html`<meta name="robots" content="noindex, nofollow">`

/** The icon, for a request of one of its addresses. It may change with a new version, so it is kept for a day. */
export function iconAnswer(): Response {
  const headers = { ...ALWAYS, 'Content-Type': 'image/svg+xml', 'Cache-Control': 'public, max-age=86400' }
  return new Response(TEXT, { headers })
}
