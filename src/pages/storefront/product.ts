import { html } from 'hono/html'
import type { Row } from '../../contract/declarations/noun.ts'
import { inOnePiece } from '../../contract/values/values.ts'
import { counted } from '../../format/counts.ts'
import { formatUtcDay, withUtcMoments } from '../../format/moments.ts'
import { currencyCode, formatMoney, plainAmount } from '../../format/money.ts'
import { formatDecimal } from '../../format/numbers.ts'
import { sentenceCase } from '../../format/sentences.ts'
import type { Context } from '../../records/context.ts'
import { findRows } from '../../records/records.ts'
import { amountInWords, priceInShort, rhythmOf, termsOfPrice } from '../../resources/catalog/price-variant/in-words.ts'
import { type PriceVariant, UNNAMED } from '../../resources/catalog/price-variant/price-variant.ts'
import type { Product } from '../../resources/catalog/product/product.ts'
import { publishedProduct, reviewsByProduct, shownVariantsByProduct } from '../../resources/catalog/product/queries.ts'
import { productUrl } from '../../resources/catalog/product/show.ts'
import { averageRating } from '../../resources/catalog/review/ratings.ts'
import type { Review } from '../../resources/catalog/review/review.ts'
import { Experience } from '../../resources/content/experience/experience.ts'
import { whyNotOffered } from '../../resources/sales/checkout/lines.ts'
import type { Page } from '../parts/markup.ts'
import { shopAnswer, shopFrame, shopPage } from './frame.ts'
import { firstPicture, type GalleryItem, galleriesOf, galleryPart } from './gallery.ts'
import { paragraphs, prose } from './pieces.ts'
import { productData } from './structured.ts'

const MAX_REVIEWS = 20
const STARS = 5

type ProductRow = Row<typeof Product>
type PriceRow = Row<typeof PriceVariant>

/** Renders an active product, even if nobody can buy it now. Returns null if no active product has the slug. */
export async function productPage(context: Context, slug: string): Promise<Response | null> {
  const product = await publishedProduct(context, slug)
  if (!product) return null
  const prices = (await shownVariantsByProduct([product.id], context)).get(product.id) ?? []
  return shopAnswer(await productDocument(context, { product, prices }))
}

interface ShownProduct {
  product: ProductRow
  /** The prices that visitors see, in order. */
  prices: readonly PriceRow[]
  /** Alternative texts that replace those of files, by file id. */
  words?: ReadonlyMap<string, string>
  /** Whether this is a preview for the merchant, in which nothing can be clicked. */
  isPreview?: boolean
}

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

/** Returns the price for link previews; null if there are several prices or if the buyer chooses the amount. */
function sharedPrice(prices: readonly PriceRow[]): { amount: string; currency: string } | null {
  const [only, ...others] = prices
  if (!only || others.length > 0 || only.amount_type === 'custom') return null
  return { amount: plainAmount(only.amount ?? 0, only.currency), currency: currencyCode(only.currency) }
}

interface ProductSections {
  gallery: GalleryItem[]
  prices: Page
  reviews: Page
  bar: Page | string
}

/** Renders the sections in the order for phones. Wide screens show the prices at the side. */
function content(product: ProductRow, { gallery, prices, reviews, bar }: ProductSections): Page {
  const { name, description, body_html } = product
  return html`<div class="product">
<div class="what"><h1>${name}</h1>${ratingPart(product)}</div>
${gallery.length > 0 ? galleryPart(gallery, name) : ''}
${description ? html`<div class="lead">${paragraphs(description)}</div>` : ''}
<div class="buy" id="buy">${prices}</div>
${body_html ? prose(body_html) : ''}${reviews}</div>${bar}`
}

/** Renders the bar that phones always show. Its button buys the only price, or leads to the prices if there are several. */
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

/** Renders the reviews in the merchant's order, or nothing if there are none. */
async function reviewsPart(context: Context, { id, reviews_count }: Row<typeof Product>): Promise<Page> {
  if (reviews_count === 0) return html``
  const all = (await reviewsByProduct([id], context)).get(id) ?? []
  const shown = all.filter(({ published }) => published).slice(0, MAX_REVIEWS)
  const more = reviews_count > shown.length ? html`<p class="hint">${shown.length} of ${reviews_count} reviews</p>` : ''
  return html`<section class="reviews" aria-labelledby="reviews"><h2 id="reviews">Reviews</h2><ul>${shown.map(reviewOf)}</ul>${more}</section>`
}

function ratingPart({ ratings_total, reviews_count }: Row<typeof Product>): Page {
  const average = averageRating(ratings_total, reviews_count)
  if (average === null) return html``
  const count = counted(reviews_count, 'review')
  return html`<p class="rating">${stars(average)} ${formatDecimal(average, 1)} <a href="#reviews">${count}</a></p>`
}

function reviewOf({ rating, customer_name, content, created_at }: Row<typeof Review>): Page {
  const words = content ? html`<blockquote class="plain">${content}</blockquote>` : ''
  return html`<li>${stars(rating)}${words}<p class="hint">${customer_name ?? 'Anonymous'}, <time datetime="${created_at}">${formatUtcDay(created_at)}</time></p></li>`
}

/** Renders a rating, rounded to half stars. */
function stars(rating: number): Page {
  const halves = Math.round(rating * 2)
  const [full, half] = [Math.floor(halves / 2), halves % 2]
  const off = STARS - full - half
  return html`<span class="stars"><span aria-hidden="true">${'★'.repeat(full)}${half ? html`<span class="half">★</span>` : ''}<span class="off">${'★'.repeat(off)}</span></span><span class="unseen">${formatDecimal(halves / 2, half ? 1 : 0)} of ${STARS} stars</span></span>`
}

type Experiences = Map<string, Row<typeof Experience>>

/** The maximum stock at which the page shows how many are left. */
const LOW_STOCK = 10

async function priceList(
  context: Context,
  product: ProductRow,
  prices: readonly PriceRow[],
  storefront: string,
): Promise<Page> {
  if (prices.length === 0) return html`<p class="away">This is not currently for sale.</p>`
  const ids = prices.flatMap(({ experiences }) => experiences)
  const experiences = await findRows(context, Experience, ids)
  const several = prices.length > 1
  const entries = prices.map((price) => {
    const away = whyNotOffered(price, product, 1, context.now)
    const name = price.name === UNNAMED ? '' : html`<h3>${price.name}</h3>`
    return html`<li class="price">${name}${amountOf(price)}${termsPart(price)}${benefitsPart(price, experiences, storefront)}
${away === null ? buyButton(context, product, price, several) : html`<p class="away">${sentence(away)}</p>`}</li>`
  })
  return html`<h2 class="unseen">${several ? 'Prices' : 'Price'}</h2><ul class="prices">${entries}</ul>`
}

function amountOf(price: PriceRow): Page {
  const { discounted_from_amount: former, currency } = price
  const was =
    former === null ? '' : html` <s><span class="unseen">instead of </span>${formatMoney(former, currency)}</s>`
  const rhythm = rhythmOf(price)
  return html`<p class="cost"><strong>${amountInWords(price)}</strong>${rhythm ? html` <span>${rhythm}</span>` : ''}${was}</p>`
}

function termsPart(price: PriceRow): Page {
  const terms = termsOfPrice(price)
  const { quantity_available: left } = price
  const few = left !== null && left > 0 && left <= LOW_STOCK ? html`<p class="few">Only ${left} left</p>` : ''
  return html`${terms.length > 0 ? html`<p class="hint">${terms.join(' ')}</p>` : ''}${few}`
}

/** Renders the merchant's list of benefits, and the experiences that the price includes. */
function benefitsPart({ benefits, experiences }: PriceRow, found: Experiences, storefront: string): Page | string {
  const access = experiences.flatMap((id) => {
    const experience = found.get(id)
    return experience ? [html`Access to <a href="${storefront}/x/${experience.slug}">${experience.name}</a>`] : []
  })
  const gained = [...benefits.map((benefit) => html`${benefit}`), ...access]
  return gained.length > 0 ? html`<ul class="gains">${gained.map((one) => html`<li>${one}</li>`)}</ul>` : ''
}

function buyButton({ publicUrl }: Context, product: ProductRow, price: PriceRow, several: boolean): Page {
  const which = several
    ? html`<span class="unseen">: ${price.name === UNNAMED ? amountInWords(price) : price.name}</span>`
    : ''
  const address = inOnePiece(publicUrl, '/buy/', price.id)
  return html`<a class="button primary" href="${address}" rel="nofollow">${buyWords(product, price)}${which}</a>`
}

function buyWords({ button_cta: own }: ProductRow, price: PriceRow): string {
  return own ?? wordsOf(price)
}

function wordsOf({ amount_type, recurring_interval, trial_period_days }: PriceRow): string {
  if (recurring_interval !== null) return trial_period_days ? 'Start free trial' : 'Subscribe'
  return amount_type === 'free' ? 'Get it' : 'Buy'
}

function sentence(reason: string): string {
  return `${sentenceCase(withUtcMoments(reason).replace(/^is /, ''))}.`
}
