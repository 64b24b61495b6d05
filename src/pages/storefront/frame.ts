import { html } from 'hono/html'
import type { Branding } from '../../contract/declarations/branding.ts'
import type { Context } from '../../records/context.ts'
import { type Brand, brandOf } from '../../resources/company/account/brand.ts'
import { currentAccount } from '../../resources/company/account/current.ts'
import { hasPublishedPosts } from '../../resources/content/blog-post/writing.ts'
import { storefrontOf } from '../../resources/content/domain-names.ts'
import { publishedLegalPages } from '../../resources/content/legal-page/published.ts'
import { ALWAYS, etagOf, namesTag, STYLE_ADDRESS, sheets, stylesheet } from '../parts/asset.ts'
import { brandLink } from '../parts/brand.ts'
import { HEAD, UNLISTED } from '../parts/document.ts'
import { mark, type Page } from '../parts/markup.ts'
import { dataBlock, type StructuredData } from './structured.ts'

const NO_ORIGINS: LoadedOrigins = { frames: [], media: [] }

const PAGE_HEADERS = {
  ...ALWAYS,
  'Content-Type': 'text/html; charset=utf-8',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), microphone=(), geolocation=()',
}

/** Prices and stock change at any time, so browsers must revalidate cached pages. */
const PUBLIC_HEADERS = { 'Cache-Control': 'no-cache', 'Referrer-Policy': 'strict-origin-when-cross-origin' }
/** Headers of pages whose URLs are secrets that give access. */
const SECRET_HEADERS = {
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex, nofollow',
}

export const STOREFRONT_STYLE = stylesheet(
  '/s/',
  ...sheets(
    import.meta.url,
    'styles/frame',
    'styles/lists',
    'styles/product',
    'styles/prose',
    'styles/content',
    'styles/access',
  ),
)

/** The maximum length of a description. No search engine shows more. */
const DESCRIPTION_LENGTH = 200

export interface ShopFrame {
  name: string
  description: string | null
  email: string | null
  test: boolean
  /** The URL has no slash at the end. */
  url: string
  hasBlog: boolean
  brand: Brand
  legal: { title: string; url: string }[]
}

/** Loads the parts of a shop that all its pages show. `branding` replaces the account's branding. */
export async function shopFrame(context: Context, branding?: Branding): Promise<ShopFrame> {
  const account = await currentAccount(context)
  const { name, description, support_email: email, test } = account
  const url = storefrontOf(context, account)
  const [hasBlog, pages] = await Promise.all([hasPublishedPosts(context), publishedLegalPages(context)])
  const legal = pages.map(({ title, slug }) => ({ title, url: `${url}/legal/${slug}` }))
  const brand = await brandOf(context, account, branding)
  return { name, description, email, test, url, hasBlog, brand, legal }
}

/** `text` limits the width for reading, and `wide` fits pictures and columns. */
type Width = 'text' | 'wide'

export function shopPage(about: PageMetadata, frame: ShopFrame, content: Page, width: Width = 'text'): Page {
  return html`<!doctype html>
<html lang="en">
<head>
${headOf(about, frame)}
<link rel="stylesheet" href="${STYLE_ADDRESS}">
<link rel="stylesheet" href="${STOREFRONT_STYLE.address}">
${brandLink(frame.brand)}</head>
<body class="storefront"${about.inert ? html` inert` : ''}>
<a class="skip" href="#content">Skip to content</a>
<header>${frame.test ? TEST_BANNER : ''}${topOf(frame)}</header>
<main id="content"><article class="page ${width}">${content}</article></main>
${footOf(frame)}
</body>
</html>`
}

const TEST_BANNER = html`<p class="test-mode"><strong>Test shop</strong> Nothing you buy here costs real money.</p>`

function topOf({ name, url, hasBlog, brand }: ShopFrame): Page {
  const blog = html`<li><a href="${url}/blog">Blog</a></li>`
  return html`<div class="top"><a class="brand" href="${url}">${mark(name, brand.logo)}<span>${name}</span></a>
<nav aria-label="Shop"><ul><li><a href="${url}">Products</a></li>${hasBlog ? blog : ''}</ul></nav></div>`
}

function footOf({ name, email, legal, url }: ShopFrame): Page {
  const links = legal.map((one) => html`<li><a href="${one.url}">${one.title}</a></li>`)
  return html`<footer class="foot"><p class="name">${name}</p><p><a href="${url}/access" rel="nofollow">Your purchases</a></p>
${links.length > 0 ? html`<ul>${links}</ul>` : ''}${email ? html`<p>Questions? <a href="mailto:${email}">${email}</a></p>` : ''}</footer>`
}

interface PageMetadata {
  title: string
  /** The page's own URL, if people may share it. */
  url?: string
  description?: string | null
  kind?: 'website' | 'article' | 'product'
  picture?: string | null
  /** The price as a decimal number, and the currency code. */
  price?: { amount: string; currency: string } | null
  data?: StructuredData | null
  /** Whether nothing on the page can be clicked, as in a preview. */
  inert?: boolean
  /** Whether search engines must not list the page. */
  unlisted?: boolean
  /** Whether the page is only for people with its URL, so that it is unlisted and has no link preview. */
  secret?: boolean
}

function headOf(about: PageMetadata, shop: { name: string; test: boolean; url: string }): Page {
  const { title, unlisted = false, secret = false } = about
  const description = shortened(about.description ?? '')
  return html`${HEAD}
${unlisted || secret || shop.test ? UNLISTED : ''}
${description ? html`<meta name="description" content="${description}">` : ''}
<title>${title === shop.name ? title : `${title} · ${shop.name}`}</title>
${about.url === undefined || secret ? '' : linkPreview(about, about.url, description, shop)}${about.data ? dataBlock(about.data) : ''}`
}

/** Renders metadata with which other sites preview a link to the page (ogp.me). */
function linkPreview(
  { title, kind = 'website', picture, price }: PageMetadata,
  url: string,
  description: string,
  shop: { name: string; url: string },
): Page {
  const card = html`<meta name="twitter:card" content="${picture ? 'summary_large_image' : 'summary'}">
<meta name="twitter:title" content="${title}">${description ? html`<meta name="twitter:description" content="${description}">` : ''}`
  const shown = picture
    ? html`<meta property="og:image" content="${picture}"><meta property="og:image:alt" content="${title}"><meta name="twitter:image" content="${picture}">`
    : ''
  const cost = price
    ? html`<meta property="product:price:amount" content="${price.amount}"><meta property="product:price:currency" content="${price.currency}">`
    : ''
  return html`<link rel="canonical" href="${url}">
<link rel="alternate" type="application/atom+xml" title="${shop.name}" href="${shop.url}/feed.xml">
<meta property="og:type" content="${kind}">
<meta property="og:title" content="${title}">
<meta property="og:url" content="${url}">
<meta property="og:site_name" content="${shop.name}">
${description ? html`<meta property="og:description" content="${description}">` : ''}
${shown}${cost}${card}`
}

function shortened(text: string): string {
  const plain = text.replaceAll(/\s+/g, ' ').trim()
  if (plain.length <= DESCRIPTION_LENGTH) return plain
  return `${plain.slice(0, plain.lastIndexOf(' ', DESCRIPTION_LENGTH - 1)).slice(0, DESCRIPTION_LENGTH - 1)}…`
}

/** Returns the 404 page of a shop, which is the same for pages that do not exist and for hidden pages. */
export async function unknownInShop(context: Context): Promise<Response> {
  const frame = await shopFrame(context)
  const title = 'Page not found'
  const words = html`<h1>${title}</h1><p class="lead">It may have moved, or it is no longer available.</p>
<p class="onward"><a class="button" href="${frame.url}">See what ${frame.name} offers</a></p>`
  return shopAnswer(shopPage({ title, unlisted: true }, frame, words), { status: 404 })
}

interface LoadedOrigins {
  frames: readonly string[]
  media: readonly string[]
}

/** Returns the policy of a page, which has no scripts. Merchants link images in their texts, so any https site is allowed. */
function policyOf({ frames, media }: LoadedOrigins, { forms, framed }: { forms: boolean; framed: boolean }): string {
  const inFrames = frames.length > 0 ? `frame-src ${frames.join(' ')}; ` : ''
  return `default-src 'none'; style-src 'self'; img-src 'self' https:; media-src ${["'self'", ...media].join(' ')}; ${inFrames}form-action ${forms ? "'self'" : "'none'"}; base-uri 'none'; frame-ancestors ${framed ? "'self'" : "'none'"}`
}

interface ShopAnswerOptions {
  status?: number
  /** Whether the page's URL is a secret that gives access. */
  secret?: boolean
  forms?: boolean
  headers?: Record<string, string>
  places?: LoadedOrigins
  /** Whether the dashboard may show the page in a frame. */
  framed?: boolean
}

export async function shopAnswer(
  page: Page,
  {
    status = 200,
    secret = false,
    forms = false,
    framed = false,
    headers: more = {},
    places = NO_ORIGINS,
  }: ShopAnswerOptions = {},
): Promise<Response> {
  const html = String(await page)
  const policy = { 'Content-Security-Policy': policyOf(places, { forms, framed }) }
  const frame = { 'X-Frame-Options': framed ? 'SAMEORIGIN' : 'DENY' }
  const headers = { ...PAGE_HEADERS, ...policy, ...frame, ...(secret ? SECRET_HEADERS : PUBLIC_HEADERS), ...more }
  return new Response(html, {
    status,
    headers: secret || status !== 200 ? headers : { ...headers, ETag: etagOf(html) },
  })
}

/** Replaces the response with a 304 if the client already has the same page. */
export function notModifiedOr(answer: Response, ifNoneMatch: string | null | undefined): Response {
  const etag = answer.headers.get('etag')
  if (etag === null || !namesTag(ifNoneMatch, etag)) return answer
  return new Response(null, { status: 304, headers: answer.headers })
}
