import { readFileSync } from 'node:fs'
import { html } from 'hono/html'
import type { Brand } from '../../resources/company/account/brand.ts'
import { ALWAYS, STYLE_ADDRESS } from './asset.ts'
import { brandLink } from './brand.ts'
import { mark, type Page } from './markup.ts'

export interface Frame {
  shop: { name: string; email: string | null; brand?: Brand } | null
  test: boolean
  backUrl?: string | null
  style?: string
  /** The URL of a script. The policy of the response must allow scripts. */
  script?: string
}

/** `paying` has two columns for the order and the payment, and `telling` shows one message. */
type Layout = 'paying' | 'telling'

export function document(
  title: string,
  { shop, test, backUrl, style, script }: Frame,
  content: Page,
  kind: Layout = 'telling',
): Page {
  return html`<!doctype html>
<html lang="en">
<head>
${HEAD}
${UNLISTED}
<title>${shop ? `${title} · ${shop.name}` : title}</title>
<link rel="stylesheet" href="${STYLE_ADDRESS}">
${
  style === undefined
    ? ''
    : html`<link rel="stylesheet" href="${style}">
`
}${brandLink(shop?.brand)}${script === undefined ? '' : html`<script type="module" src="${script}"></script>`}</head>
<body class="${kind}">
<header>
${test ? html`<p class="test-mode"><strong>Test mode</strong> No real money is taken on this page.</p>` : ''}
<div class="top">${shop ? brand(shop, backUrl ?? null) : ''}</div>
</header>
<main>${content}</main>
<footer class="foot">${shop?.email ? html`<p>Questions? <a href="mailto:${shop.email}">${shop.email}</a></p>` : ''}</footer>
</body>
</html>`
}

/** Renders the shop's name. It links to the page from which the buyer came, if that is known. */
function brand({ name, brand: look }: NonNullable<Frame['shop']>, backUrl: string | null): Page {
  const shown = mark(name, look?.logo)
  if (backUrl === null) return html`<p class="brand">${shown}<span>${name}</span></p>`
  return html`<a class="brand" href="${backUrl}" rel="noreferrer">${ARROW}${shown}<span><span class="unseen">Back to </span>${name}</span></a>`
}

const ARROW = html`<svg class="arrow" aria-hidden="true" width="18" height="18" viewBox="0 0 18 18" fill="none" stroke="currentColor" stroke-width="1.75" stroke-linecap="round" stroke-linejoin="round"><path d="M14.5 9h-11M8 4 3.5 9 8 14"/></svg>`

const ICON = readFileSync(new URL('./icon.svg', import.meta.url), 'utf8')

/** Pages link to the first path, and browsers request the second by default. */
export const ICON_ADDRESSES = ['/favicon.svg', '/favicon.ico'] as const

const ICON_LINK = html`<link rel="icon" type="image/svg+xml" href="${ICON_ADDRESSES[0]}">`

export const HEAD = html`<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${ICON_LINK}`

export const UNLISTED = html`<meta name="robots" content="noindex, nofollow">`

/** Returns the icon. It may be cached for only a day, because a new version of the service may change it. */
export function iconAnswer(): Response {
  const headers = { ...ALWAYS, 'Content-Type': 'image/svg+xml', 'Cache-Control': 'public, max-age=86400' }
  return new Response(ICON, { headers })
}

/** A link from one page to another. */
export interface PageLink {
  url: string
  words: string
}

/** A page about something that is closed, such as an expired checkout. `way` is a link to another page. */
export interface ClosedView {
  frame: Frame
  title: string
  words: string
  way: PageLink | null
}

export function closedPage({ frame, title, words, way }: ClosedView): Page {
  const email = frame.shop?.email
  const ask = email ? html`<p class="hint">Or write to <a href="mailto:${email}">${email}</a>.</p>` : html``
  const content = html`<div class="message"><h1>${title}</h1><p>${words}</p>
${way ? html`<p><a class="button primary" href="${way.url}" rel="noreferrer">${way.words}</a></p>` : ''}${way ? ask : ''}</div>`
  return document(title, frame, content)
}
