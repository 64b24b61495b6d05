import { html } from 'hono/html'
import { ICON_LINK } from './icon.ts'

/** What the head of every page begins with. */
export const HEAD = html`<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${ICON_LINK}`

/** Keeps a page out of search engines. */
export const UNLISTED = html`<meta name="robots" content="noindex, nofollow">`
