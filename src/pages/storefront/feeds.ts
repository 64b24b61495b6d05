import type { Context } from '../../records/context.ts'
import { priceInShort } from '../../resources/catalog/price_variant/in_words.ts'
import { shownVariantsByProduct } from '../../resources/catalog/product/collections.ts'
import { publishedProducts } from '../../resources/catalog/product/found.ts'
import { productUrl } from '../../resources/catalog/product/show.ts'
import { publishedPosts } from '../../resources/content/blog_post/published.ts'
import { excerptOf, postUrl } from '../../resources/content/blog_post/show.ts'
import { escapeHtml } from '../../words/escape.ts'
import { ALWAYS, etagOf } from '../parts/asset.ts'
import { type ShopFrame, shopFrame } from './frame.ts'

/** Entries of a feed, of each kind: readers ask often, and keep what they have seen. */
const IN_FEED = 20
/** Addresses of a sitemap, of each kind: two thirds of what one may hold (sitemaps.org: 50,000). */
const IN_SITEMAP = 16_000

/** Text that XML takes: without characters that it knows no way to write. */
function xml(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what XML 1.0 cannot hold
  return escapeHtml(text.toWellFormed().replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, ''))
}

function answer(text: string, type: string): Response {
  const headers = {
    ...ALWAYS,
    'Content-Type': `${type}; charset=utf-8`,
    'Cache-Control': 'public, max-age=300',
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
    ETag: etagOf(text),
  }
  return new Response(text, { headers })
}

interface Entry {
  title: string
  url: string
  summary: string
  published: string
  updated: string
}

/** New products and posts of a shop (Atom, RFC 4287). */
export async function shopFeed(context: Context): Promise<Response> {
  const frame = await shopFrame(context)
  const entries = [...(await productEntries(context, frame)), ...(await postEntries(context, frame))]
    .toSorted((one, other) => (one.published < other.published ? 1 : -1))
    .slice(0, 2 * IN_FEED)
  const updated =
    entries
      .map((entry) => entry.updated)
      .toSorted()
      .at(-1) ?? context.now
  const shown = entries.map(
    ({ title, url, summary, published, updated: changed }) =>
      `<entry><id>${xml(url)}</id><title>${xml(title)}</title><link rel="alternate" type="text/html" href="${xml(url)}"/><published>${published}</published><updated>${changed}</updated><summary>${xml(summary)}</summary></entry>`,
  )
  const { name, url, description } = frame
  const head = `<id>${xml(url)}</id><title>${xml(name)}</title>${description ? `<subtitle>${xml(description)}</subtitle>` : ''}<updated>${updated}</updated><author><name>${xml(name)}</name></author><link rel="alternate" type="text/html" href="${xml(url)}"/><link rel="self" type="application/atom+xml" href="${xml(url)}/feed.xml"/>`
  return answer(
    `<?xml version="1.0" encoding="utf-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom">${head}${shown.join('')}</feed>\n`,
    'application/atom+xml',
  )
}

async function productEntries(context: Context, { url }: ShopFrame): Promise<Entry[]> {
  const products = await publishedProducts(context, { offset: 0, limit: IN_FEED })
  const prices = await shownVariantsByProduct(
    products.map(({ id }) => id),
    context,
  )
  return products.map((product) => ({
    title: product.name,
    url: productUrl(url, product),
    summary: [priceInShort(prices.get(product.id) ?? []), product.description ?? ''].filter(Boolean).join(' – '),
    published: product.published_at ?? product.created_at,
    updated: product.updated_at,
  }))
}

/** Posts that search engines are kept from are for those who have their addresses. */
async function postEntries(context: Context, { url }: ShopFrame): Promise<Entry[]> {
  const posts = await publishedPosts(context, { offset: 0, limit: IN_FEED })
  return posts
    .filter(({ indexable }) => indexable)
    .map((post) => ({
      title: post.title,
      url: postUrl(url, post),
      summary: excerptOf(post),
      published: post.published_at ?? post.created_at,
      updated: post.updated_at,
    }))
}

/** Every page of a shop that search engines should know (sitemaps.org); none of a test shop. */
export async function shopSitemap(context: Context): Promise<Response> {
  const { url, hasBlog, legal, test } = await shopFrame(context)
  const part = { offset: 0, limit: IN_SITEMAP }
  const [products, posts] = test
    ? [[], []]
    : await Promise.all([publishedProducts(context, part), publishedPosts(context, part)])
  const pages = test ? [] : [{ url }, ...(hasBlog ? [{ url: `${url}/blog` }] : []), ...legal]
  const dated = [
    ...products.map((product) => ({ url: productUrl(url, product), at: product.updated_at })),
    ...posts.filter(({ indexable }) => indexable).map((post) => ({ url: postUrl(url, post), at: post.updated_at })),
  ]
  const lines = [
    ...pages.map((page) => `<url><loc>${xml(page.url)}</loc></url>`),
    ...dated.map(({ url: address, at }) => `<url><loc>${xml(address)}</loc><lastmod>${at}</lastmod></url>`),
  ]
  return answer(
    `<?xml version="1.0" encoding="utf-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${lines.join('')}</urlset>\n`,
    'application/xml',
  )
}

/** What programs that look for pages leave alone: what is for one person, and what moves money (RFC 9309). */
const NOT_FOR_ROBOTS = [
  '/dashboard',
  '/access/',
  '/buy/',
  '/checkout/',
  '/pay/',
  '/l/',
  '/sign-in',
  '/connect',
  '/v1/',
  '/mcp',
]

/** Of a shop that has a domain to itself. */
export async function shopRobots(context: Context): Promise<Response> {
  const { url } = await shopFrame(context)
  return answer(`User-agent: *\nDisallow: /access\nSitemap: ${url}/sitemap.xml\n`, 'text/plain')
}

/** Of the whole service. It names no shop: whoever runs one tells search engines its sitemap. */
export function robotsAnswer(): Response {
  const lines = ['User-agent: *', ...NOT_FOR_ROBOTS.map((path) => `Disallow: ${path}`), 'Allow: /checkout/style']
  return answer(`${lines.join('\n')}\n`, 'text/plain')
}
