import { html, raw } from 'hono/html'
import type { Row } from '../../contract/declarations/noun.ts'
import { inOnePiece } from '../../contract/values/values.ts'
import { currencyCode, plainAmount } from '../../format/money.ts'
import type { Context } from '../../records/context.ts'
import { type PriceVariant, UNNAMED } from '../../resources/catalog/price-variant/price-variant.ts'
import type { Product } from '../../resources/catalog/product/product.ts'
import { averageRating } from '../../resources/catalog/review/ratings.ts'
import type { BlogPost } from '../../resources/content/blog-post/blog-post.ts'
import { whyNotOffered } from '../../resources/sales/checkout/lines.ts'
import type { Page } from '../parts/markup.ts'
import type { GalleryItem } from './gallery.ts'

/** Data of a page in the vocabulary of schema.org, for search engines. */
export type StructuredData = Record<string, unknown>

/** Renders a data block, which browsers do not run (HTML, section 4.12.1). `<` is escaped, so that no text closes the element. */
export function dataBlock(data: StructuredData): Page {
  const text = JSON.stringify({ '@context': 'https://schema.org', ...data }).replaceAll('<', '\\u003c')
  return html`<script type="application/ld+json">${raw(text)}</script>`
}

interface ProductParts {
  product: Row<typeof Product>
  prices: readonly Row<typeof PriceVariant>[]
  gallery: readonly GalleryItem[]
  url: string
  shop: string
}

export function productData(context: Context, parts: ProductParts): StructuredData {
  const { product, prices, gallery, url, shop } = parts
  const { name, description, ratings_total, reviews_count } = product
  const pictures = gallery.filter(({ kind }) => kind === 'image').map((one) => one.url)
  const average = averageRating(ratings_total, reviews_count)
  const offers = prices
    .filter(({ amount_type }) => amount_type !== 'custom')
    .map((price) => offerData(context, parts, price))
  return {
    '@type': 'Product',
    name,
    url,
    ...(description && { description }),
    ...(pictures.length > 0 && { image: pictures }),
    brand: { '@type': 'Brand', name: shop },
    ...(average !== null && {
      aggregateRating: { '@type': 'AggregateRating', ratingValue: average, reviewCount: reviews_count },
    }),
    ...(offers.length > 0 && { offers }),
  }
}

const UNITS = { day: 'DAY', week: 'WEE', month: 'MON', year: 'ANN' } as const

function offerData(context: Context, { product, shop }: ProductParts, price: Row<typeof PriceVariant>) {
  const { id, name, amount, currency, recurring_interval: interval, interval_count } = price
  const isOffered = whyNotOffered(price, product, 1, context.now) === null
  const money = { price: plainAmount(amount ?? 0, currency), priceCurrency: currencyCode(currency) }
  const rhythm = interval && {
    priceSpecification: {
      '@type': 'UnitPriceSpecification',
      ...money,
      billingIncrement: interval_count ?? 1,
      unitCode: UNITS[interval],
    },
  }
  return {
    '@type': 'Offer',
    ...(name !== UNNAMED && { name }),
    ...money,
    ...rhythm,
    availability: `https://schema.org/${isOffered ? 'InStock' : 'OutOfStock'}`,
    url: inOnePiece(context.publicUrl, '/buy/', id),
    seller: { '@type': 'Organization', name: shop },
  }
}

type Post = Pick<Row<typeof BlogPost>, 'title' | 'published_at' | 'updated_at' | 'author' | 'featured_image_url'>

export function postData(post: Post, { url, description, shop }: Record<'url' | 'description' | 'shop', string>) {
  const { title, published_at, updated_at, author, featured_image_url: picture } = post
  return {
    '@type': 'BlogPosting',
    headline: title,
    url,
    mainEntityOfPage: url,
    ...(description && { description }),
    ...(published_at && { datePublished: published_at }),
    dateModified: updated_at,
    ...(picture && { image: [picture] }),
    author: author ? { '@type': 'Person', name: author } : { '@type': 'Organization', name: shop },
    publisher: { '@type': 'Organization', name: shop },
  } satisfies StructuredData
}

export function shopData(shop: {
  name: string
  url: string
  description: string | null
  email: string | null
  logo?: string | null
}): StructuredData {
  const { name, url, description, email, logo } = shop
  return {
    '@type': 'Organization',
    name,
    url,
    ...(description && { description }),
    ...(email && { email }),
    ...(logo && { logo }),
  }
}
