import { html } from 'hono/html'
import { HEAD, UNLISTED } from '../parts/head.ts'
import type { Page } from '../parts/markup.ts'
import { dataBlock, type StructuredData } from './structured.ts'

/** What a page says of itself to browsers, search engines and programs that show links. */
export interface About {
  title: string
  /** The page's own address, where it has one that may be passed on. */
  url?: string
  description?: string | null
  kind?: 'website' | 'article' | 'product'
  /** Address of a picture. */
  picture?: string | null
  /** What it costs, in digits and a point, and the code of the currency. */
  price?: { amount: string; currency: string } | null
  /** What it says of itself to search engines. */
  data?: StructuredData | null
  /** Nothing on it can be pressed. */
  inert?: boolean
  /** Search engines leave it out. */
  unlisted?: boolean
  /** Only for those who have its address: unlisted, and nothing leads there. */
  secret?: boolean
}

/** Long enough for every search engine. */
const DESCRIPTION_LENGTH = 200

export function headOf(about: About, shop: { name: string; test: boolean; url: string }): Page {
  const { title, unlisted = false, secret = false } = about
  const description = shortened(about.description ?? '')
  return html`${HEAD}
${unlisted || secret || shop.test ? UNLISTED : ''}
${description ? html`<meta name="description" content="${description}">` : ''}
<title>${title === shop.name ? title : `${title} · ${shop.name}`}</title>
${about.url === undefined || secret ? '' : shared(about, about.url, description, shop)}${about.data ? dataBlock(about.data) : ''}`
}

/** What is shown of a link by whoever passes it on (ogp.me). */
function shared(
  { title, kind = 'website', picture, price }: About,
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
