import { html } from 'hono/html'
import type { Row } from '../../contract/declarations/noun.ts'
import { inOnePiece } from '../../contract/values/values.ts'
import { withUtcMoments } from '../../format/moments.ts'
import { formatMoney } from '../../format/money.ts'
import { sentenceCase } from '../../format/sentences.ts'
import type { Context } from '../../records/context.ts'
import { findRows } from '../../records/records.ts'
import { amountInWords, rhythmOf, termsOfPrice } from '../../resources/catalog/price-variant/in-words.ts'
import { type PriceVariant, UNNAMED } from '../../resources/catalog/price-variant/price-variant.ts'
import type { Product } from '../../resources/catalog/product/product.ts'
import { Experience } from '../../resources/content/experience/experience.ts'
import { whyNotOffered } from '../../resources/sales/checkout/lines.ts'
import type { Page } from '../parts/markup.ts'

type ProductRow = Row<typeof Product>
type Price = Row<typeof PriceVariant>
type Experiences = Map<string, Row<typeof Experience>>

/** The maximum stock at which the page shows how many are left. */
const LOW_STOCK = 10

export async function priceList(
  context: Context,
  product: ProductRow,
  prices: readonly Price[],
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

function amountOf(price: Price): Page {
  const { discounted_from_amount: former, currency } = price
  const was =
    former === null ? '' : html` <s><span class="unseen">instead of </span>${formatMoney(former, currency)}</s>`
  const rhythm = rhythmOf(price)
  return html`<p class="cost"><strong>${amountInWords(price)}</strong>${rhythm ? html` <span>${rhythm}</span>` : ''}${was}</p>`
}

function termsPart(price: Price): Page {
  const terms = termsOfPrice(price)
  const { quantity_available: left } = price
  const few = left !== null && left > 0 && left <= LOW_STOCK ? html`<p class="few">Only ${left} left</p>` : ''
  return html`${terms.length > 0 ? html`<p class="hint">${terms.join(' ')}</p>` : ''}${few}`
}

/** Renders the merchant's list of benefits, and the experiences that the price includes. */
function benefitsPart({ benefits, experiences }: Price, found: Experiences, storefront: string): Page | string {
  const access = experiences.flatMap((id) => {
    const experience = found.get(id)
    return experience ? [html`Access to <a href="${storefront}/x/${experience.slug}">${experience.name}</a>`] : []
  })
  const gained = [...benefits.map((benefit) => html`${benefit}`), ...access]
  return gained.length > 0 ? html`<ul class="gains">${gained.map((one) => html`<li>${one}</li>`)}</ul>` : ''
}

function buyButton({ publicUrl }: Context, product: ProductRow, price: Price, several: boolean): Page {
  const which = several
    ? html`<span class="unseen">: ${price.name === UNNAMED ? amountInWords(price) : price.name}</span>`
    : ''
  const address = inOnePiece(publicUrl, '/buy/', price.id)
  return html`<a class="button primary" href="${address}" rel="nofollow">${buyWords(product, price)}${which}</a>`
}

export function buyWords({ button_cta: own }: ProductRow, price: Price): string {
  return own ?? wordsOf(price)
}

function wordsOf({ amount_type, recurring_interval, trial_period_days }: Price): string {
  if (recurring_interval !== null) return trial_period_days ? 'Start free trial' : 'Subscribe'
  return amount_type === 'free' ? 'Get it' : 'Buy'
}

function sentence(reason: string): string {
  return `${sentenceCase(withUtcMoments(reason).replace(/^is /, ''))}.`
}
