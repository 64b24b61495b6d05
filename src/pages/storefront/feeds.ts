import { escapeHtml } from '../../format/escape.ts'
import type { Context } from '../../records/context.ts'
import { priceInShort } from '../../resources/catalog/price-variant/in-words.ts'
import { publishedProducts, shownVariantsByProduct } from '../../resources/catalog/product/queries.ts'
import { productUrl } from '../../resources/catalog/product/show.ts'
import { excerptOf, postUrl } from '../../resources/content/blog-post/show.ts'
import { publishedPosts } from '../../resources/content/blog-post/writing.ts'
import { ALWAYS, etagOf } from '../parts/asset.ts'
import { type ShopFrame, shopFrame } from './frame.ts'

/** The maximum number of entries of each kind in a feed. Readers poll often and keep old entries, so more are not needed. */
const MAX_FEED_ENTRIES = 20
/** The maximum number of URLs of each kind in a sitemap. With two kinds it stays below the limit of 50,000 URLs (sitemaps.org). */
const MAX_SITEMAP_URLS = 16_000

/** Escapes text for XML and removes characters that XML cannot represent. */
function escapeXml(text: string): string {
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

interface FeedEntry {
  title: string
  url: string
  summary: string
  published: string
  updated: string
}

/** Returns the feed of a shop's new products and posts (Atom, RFC 4287). */
export async function shopFeed(context: Context): Promise<Response> {
  const frame = await shopFrame(context)
  const entries = [...(await productEntries(context, frame)), ...(await postEntries(context, frame))]
    .toSorted((one, other) => (one.published < other.published ? 1 : -1))
    .slice(0, 2 * MAX_FEED_ENTRIES)
  const updated =
    entries
      .map((entry) => entry.updated)
      .toSorted()
      .at(-1) ?? context.now
  const shown = entries.map(
    ({ title, url, summary, published, updated: changed }) =>
      `<entry><id>${escapeXml(url)}</id><title>${escapeXml(title)}</title><link rel="alternate" type="text/html" href="${escapeXml(url)}"/><published>${published}</published><updated>${changed}</updated><summary>${escapeXml(summary)}</summary></entry>`,
  )
  const { name, url, description } = frame
  const head = `<id>${escapeXml(url)}</id><title>${escapeXml(name)}</title>${description ? `<subtitle>${escapeXml(description)}</subtitle>` : ''}<updated>${updated}</updated><author><name>${escapeXml(name)}</name></author><link rel="alternate" type="text/html" href="${escapeXml(url)}"/><link rel="self" type="application/atom+xml" href="${escapeXml(url)}/feed.xml"/>`
  return answer(
    `<?xml version="1.0" encoding="utf-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom">${head}${shown.join('')}</feed>\n`,
    'application/atom+xml',
  )
}

async function productEntries(context: Context, { url }: ShopFrame): Promise<FeedEntry[]> {
  const products = await publishedProducts(context, { offset: 0, limit: MAX_FEED_ENTRIES })
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

/** Returns the feed's entries of posts. Posts that search engines must not list are left out. */
async function postEntries(context: Context, { url }: ShopFrame): Promise<FeedEntry[]> {
  const posts = await publishedPosts(context, { offset: 0, limit: MAX_FEED_ENTRIES })
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

/** Returns the sitemap of a shop (sitemaps.org). The sitemap of a test shop is empty. */
export async function shopSitemap(context: Context): Promise<Response> {
  const { url, hasBlog, legal, test } = await shopFrame(context)
  const part = { offset: 0, limit: MAX_SITEMAP_URLS }
  const [products, posts] = test
    ? [[], []]
    : await Promise.all([publishedProducts(context, part), publishedPosts(context, part)])
  const pages = test ? [] : [{ url }, ...(hasBlog ? [{ url: `${url}/blog` }] : []), ...legal]
  const dated = [
    ...products.map((product) => ({ url: productUrl(url, product), at: product.updated_at })),
    ...posts.filter(({ indexable }) => indexable).map((post) => ({ url: postUrl(url, post), at: post.updated_at })),
  ]
  const lines = [
    ...pages.map((page) => `<url><loc>${escapeXml(page.url)}</loc></url>`),
    ...dated.map(({ url: address, at }) => `<url><loc>${escapeXml(address)}</loc><lastmod>${at}</lastmod></url>`),
  ]
  return answer(
    `<?xml version="1.0" encoding="utf-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${lines.join('')}</urlset>\n`,
    'application/xml',
  )
}

/** Crawlers must skip pages for one person, pages on which people pay, and the API (RFC 9309). */
const DISALLOWED_PATHS = [
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

/** Returns the robots.txt of a shop on its own domain. */
export async function shopRobots(context: Context): Promise<Response> {
  const { url } = await shopFrame(context)
  return answer(`User-agent: *\nDisallow: /access\nSitemap: ${url}/sitemap.xml\n`, 'text/plain')
}

/** Returns the robots.txt of the service. It lists no sitemaps of shops; operators submit these to search engines themselves. */
export function robotsAnswer(): Response {
  const lines = ['User-agent: *', ...DISALLOWED_PATHS.map((path) => `Disallow: ${path}`), 'Allow: /checkout/style']
  return answer(`${lines.join('\n')}\n`, 'text/plain')
}
