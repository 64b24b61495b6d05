import { readFileSync } from 'node:fs'
import { html } from 'hono/html'
import { ALWAYS } from './asset.ts'

const ICON = readFileSync(new URL('./icon.svg', import.meta.url), 'utf8')

/** Pages link to the first path, and browsers request the second by default. */
export const ICON_ADDRESSES = ['/favicon.svg', '/favicon.ico'] as const

const ICON_LINK = html`<link rel="icon" type="image/svg+xml" href="${ICON_ADDRESSES[0]}">`

export const HEAD = html`<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${ICON_LINK}`

export const UNLISTED = html`<meta name="robots" content="noindex, nofollow">`

/** The icon may be cached for only a day, because a new version of the service may change it. */
export function iconAnswer(): Response {
  const headers = { ...ALWAYS, 'Content-Type': 'image/svg+xml', 'Cache-Control': 'public, max-age=86400' }
  return new Response(ICON, { headers })
}
