import { html } from 'hono/html'
import { formatMoney } from '../../../format/money.ts'
import { formatNumber } from '../../../format/numbers.ts'
import type { Page } from '../../parts/markup.ts'
import { refusalOf } from '../kit/call.ts'
import { number, reference } from '../kit/value.ts'
import { type DashboardContext, type Viewed, view } from '../kit/visit.ts'
import { day } from './money.ts'

export const discountView = view('discount', {
  lead: 'Codes that buyers enter at checkout.',
  actions: {
    delete: {
      button: 'Delete',
      lead: () =>
        'It is removed from checkout links. A discount that has been used cannot be deleted: deactivate it instead.',
      danger: true,
    },
  },
  search: 'Code',
  bulk: [
    { name: 'deactivate', button: 'Deactivate', method: 'patch', body: { status: 'inactive' } },
    { name: 'activate', button: 'Activate', method: 'patch', body: { status: 'active' } },
  ],
  columns: ['code', 'off', 'products', 'status', 'used', 'until'],
  expand: ['price_variants'],
  cells: {
    off: { title: 'Discount', show: (_, discount) => html`${offOf(discount)}` },
    products: { title: 'Products', show: productsOf },
    until: {
      title: 'Valid until',
      sort: 'redeem_by',
      show: (visit, { redeem_by: until }) => html`${until ? day(visit, until) : 'No end'}`,
    },
    used: { title: 'Used', end: true, show: (_, discount) => number(usedOf(discount)) },
  },
  above: [
    async (visit, discount) =>
      html`<section class="card" aria-label="What it does"><p><strong>${offOf(discount)}</strong>${durationOf(discount)}. ${stateOf(visit, discount)}</p><p>${timesOf(discount)}</p></section>`,
  ],
  links: productLink,
  main: ['applies_to_product_ids', 'price_variants', 'starts_at', 'redeem_by', 'created_at'],
  without: [
    'code',
    'status',
    'discount_type',
    'percent_off',
    'amount_off',
    'currency',
    'duration',
    'duration_in_months',
    'times_redeemed',
    'max_redemptions',
  ],
  labels: {
    applies_to_product_ids: 'Products',
    price_variants: 'Prices',
    starts_at: 'Valid from',
    redeem_by: 'Valid until',
  },
  form: {
    groups: [
      { names: ['code', 'discount_type'] },
      { names: ['percent_off'], when: 'when-percent' },
      { names: ['amount_off', 'currency'], when: 'when-amount' },
      { title: 'Subscriptions', names: ['duration'] },
      { names: ['duration_in_months'], when: 'when-repeating' },
      { title: 'Limits', names: ['max_redemptions', 'starts_at', 'redeem_by'] },
      { title: 'What it applies to', names: ['applies_to_product_ids', 'price_variants'] },
      { title: 'State', names: ['switched'] },
    ],
    labels: {
      discount_type: 'Type',
      percent_off: 'Percent',
      amount_off: 'Amount',
      duration: 'Duration for subscriptions',
      duration_in_months: 'Months',
      max_redemptions: 'Maximum uses',
      redeem_by: 'Valid until',
      starts_at: 'Valid from',
      applies_to_product_ids: 'Products',
      price_variants: 'Prices',
      switched: 'Active',
    },
    needed: ['percent_off', 'amount_off', 'duration_in_months'],
    hints: {
      code: 'Letters, digits, hyphens and underscores. Not case-sensitive.',
      discount_type: 'A share of the price, or a fixed amount.',
      percent_off: 'Such as 25, or 12.5.',
      amount_off: 'Subtracted from the purchase total, which never goes below zero.',
      currency: 'The code is refused for other currencies.',
      duration:
        'Once: the first payment. Repeating: payments for a number of months. Forever: every payment. One-time purchases are discounted in all three cases.',
      duration_in_months: 'How many months, where the duration repeats.',
      starts_at: 'Leave empty to start now.',
      redeem_by: 'Leave empty for no end.',
      max_redemptions: 'Leave empty for no limit.',
      applies_to_product_ids: 'If you choose no products and no prices, it applies to everything.',
      switched: 'Inactive discounts cannot be used.',
      price_variants: 'Additional prices of other products.',
    },
  },
})

type Discount = Viewed<'discount'>

function productsOf(visit: DashboardContext, discount: Discount): Page {
  const { applies_to_product_ids: products, price_variants: prices } = discount
  const count = products.length + prices.length
  if (count === 0) return html`Everything`
  const more = count > 1 ? ` and ${formatNumber(count - 1)} more` : ''
  const [product] = products
  if (product === undefined) return html`${reference(visit, 'price_variant', prices[0])}${more}`
  return html`${productNamed(visit, product)}${more}`
}

async function productNamed(visit: DashboardContext, id: string): Promise<string> {
  const answer = await visit.call('GET /products/{id_or_slug}', { path: { id_or_slug: id } })
  return reference(visit, 'product', refusalOf(answer) ? id : answer.body)
}

/** Links to the product if the code applies to only one. */
function productLink(
  { base }: DashboardContext,
  { applies_to_product_ids: products, price_variants: prices }: Discount,
): Page | null {
  const ofPrices = prices.map((price) => (typeof price === 'object' ? price.product : null))
  const [product, ...others] = new Set([...products, ...ofPrices])
  if (typeof product !== 'string' || others.length > 0) return null
  return html`<a class="button" href="${base}/products/${product}">View product</a>`
}

/** Returns the discount in words: `25% off` or `$5.00 off`. */
export function offOf({
  discount_type: type,
  percent_off: percent,
  amount_off: amount,
  currency,
}: Viewed<'discount'>): string {
  return type === 'percent_off' ? `${percent}% off` : `${formatMoney(Number(amount), String(currency))} off`
}

function timesOf(discount: Viewed<'discount'>): string {
  const used = discount.times_redeemed
  if (used > 1 || discount.max_redemptions) return `Used ${usedOf(discount)} times.`
  return used === 1 ? 'Used once.' : 'Not used yet.'
}

export function usedOf({ times_redeemed: used, max_redemptions: most }: Viewed<'discount'>): string {
  return most ? `${formatNumber(used)} of ${formatNumber(most)}` : formatNumber(used)
}

function durationOf({ duration, duration_in_months: months }: Viewed<'discount'>): string {
  if (duration === 'forever') return ' every payment of a subscription'
  return duration === 'repeating'
    ? ` the payments of the first ${months} months of a subscription`
    : ' the first payment'
}

function stateOf(
  visit: DashboardContext,
  { status, starts_at, redeem_by, max_redemptions, times_redeemed }: Viewed<'discount'>,
): string {
  if (status === 'inactive') return 'It is inactive and cannot be used.'
  if (status === 'scheduled') return `It can be used starting ${day(visit, starts_at)}.`
  if (status === 'expired')
    return max_redemptions && times_redeemed >= max_redemptions
      ? 'It has reached its maximum number of uses.'
      : `It could be used until ${day(visit, redeem_by)}.`
  return redeem_by ? `Buyers can use it until ${day(visit, redeem_by)}.` : 'Buyers can use it now.'
}
