import { html } from 'hono/html'
import type { Row } from '../../contract/declarations/noun.ts'
import { inOnePiece } from '../../contract/values/values.ts'
import type { Context } from '../../records/context.ts'
import { priceInShort } from '../../resources/catalog/price_variant/in_words.ts'
import type { PriceVariant } from '../../resources/catalog/price_variant/price_variant.ts'
import { shownVariantsByProduct } from '../../resources/catalog/product/collections.ts'
import { publishedProduct } from '../../resources/catalog/product/found.ts'
import type { Product } from '../../resources/catalog/product/product.ts'
import { productUrl } from '../../resources/catalog/product/show.ts'
import { whyNotOffered } from '../../resources/sales/checkout/for_sale.ts'
import { currencyCode, plainAmount } from '../../words/money.ts'
import type { Page } from '../parts/document.ts'
import { shopAnswer } from './answers.ts'
import { shopFrame, shopPage } from './frame.ts'
import { firstPicture, galleriesOf, galleryPart, type Shown } from './gallery.ts'
import { buyWords, priceList } from './prices.ts'
import { paragraphs, prose } from './prose.ts'
import { ratingPart, reviewsPart } from './reviews.ts'
import { productData } from './structured.ts'

type ProductRow = Row<typeof Product>
type PriceRow = Row<typeof PriceVariant>

/** The page of an active product, whether it can be bought at this moment or not. Null where there is none of the slug. */
export async function productPage(context: Context, slug: string): Promise<Response | null> {
  const product = await publishedProduct(context, slug)
  if (!product) return null
  const prices = (await shownVariantsByProduct([product.id], context)).get(product.id) ?? []
  return shopAnswer(await productDocument(context, { product, prices }))
}

interface ShownProduct {
  product: ProductRow
  /** Its prices that visitors see, in their order. */
  prices: readonly PriceRow[]
  /** What some of its pictures show, by the ids of their files, in place of what the files say. */
  words?: ReadonlyMap<string, string>
  /** For its merchant alone: nothing on it can be pressed. */
  isPreview?: boolean
}

/** The whole page of a product. */
export async function productDocument(
  context: Context,
  { product, prices, words, isPreview = false }: ShownProduct,
): Promise<Page> {
  const frame = await shopFrame(context)
  const gallery = (await galleriesOf(context, [product], words)).get(product.id) ?? []
  const url = productUrl(frame.url, product)
  const about = {
    title: product.seo_title ?? product.name,
    url,
    description: product.seo_description ?? product.description,
    kind: 'product' as const,
    picture: firstPicture(gallery),
    price: sharedPrice(prices),
    secret: isPreview,
    inert: isPreview,
    data: isPreview ? null : productData(context, { product, prices, gallery, url, shop: frame.name }),
  }
  const parts = {
    gallery,
    prices: await priceList(context, product, prices, frame.url),
    reviews: await reviewsPart(context, product),
    bar: buyBar(context, product, prices),
  }
  return shopPage(about, frame, content(product, parts), 'wide')
}

/** The price that cards of shared links show: where there are several, none says it all. */
function sharedPrice(prices: readonly PriceRow[]): { amount: string; currency: string } | null {
  const [only, ...others] = prices
  if (!only || others.length > 0 || only.amount_type === 'custom') return null
  return { amount: plainAmount(only.amount ?? 0, only.currency), currency: currencyCode(only.currency) }
}

interface Parts {
  gallery: Shown[]
  prices: Page
  reviews: Page
  bar: Page | string
}

/** In the order of a phone; a wide screen has the prices at the side. */
function content(product: ProductRow, { gallery, prices, reviews, bar }: Parts): Page {
  const { name, description, body_html } = product
  return html`<div class="product">
<div class="what"><h1>${name}</h1>${ratingPart(product)}</div>
${gallery.length > 0 ? galleryPart(gallery, name) : ''}
${description ? html`<div class="lead">${paragraphs(description)}</div>` : ''}
<div class="buy" id="buy">${prices}</div>
${body_html ? prose(body_html) : ''}${reviews}</div>${bar}`
}

/** On phones the way to buy is always in sight: at once where there is one price, otherwise by way of the prices. */
function buyBar({ publicUrl, now }: Context, product: ProductRow, prices: readonly PriceRow[]): Page | string {
  const offered = prices.filter((price) => whyNotOffered(price, product, 1, now) === null)
  const [first] = offered
  if (!first) return ''
  const isOnly = prices.length === 1
  const way = isOnly
    ? html`<a class="button primary" href="${inOnePiece(publicUrl, '/buy/', first.id)}" rel="nofollow">${buyWords(product, first)}</a>`
    : html`<a class="button primary" href="#buy">See prices</a>`
  return html`<aside class="buy-bar" aria-label="Buy"><span>${priceInShort(offered)}</span>${way}</aside>`
}
