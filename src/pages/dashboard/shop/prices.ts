import { html } from 'hono/html'
import { formatNumber } from '../../../format/numbers.ts'
import { costInWords, nameOfPrice, termsOfPrice } from '../../../resources/catalog/price-variant/in-words.ts'
import { type Column, dataTable, type Page } from '../../parts/markup.ts'
import { rowsOf } from '../kit/call.ts'
import { copyableAddress } from '../kit/controls.ts'
import { ifOpen } from '../kit/page-rights.ts'
import { type DashboardContext, type Viewed, view } from '../kit/visit.ts'
import { kindControl, readKind } from './price-kind.ts'

type ViewedPrice = Viewed<'price_variant'>

const MOST = 100

function stateOf({ archived, hidden, quantity_available: left }: ViewedPrice): Page {
  if (archived) return html`<span class="badge">Archived</span>`
  if (left === 0) return html`<span class="badge bad">Sold out</span>`
  return hidden ? html`<span class="badge wait">Hidden</span>` : html`<span class="badge good">On sale</span>`
}

export async function pricesOf(visit: DashboardContext, product: Viewed<'product'>): Promise<Page> {
  const query = { product: product.id, limit: MOST }
  const { rows } = await rowsOf(visit.call('GET /price_variants', { query }))
  const add = `${visit.base}/price_variants/new?product=${encodeURIComponent(product.id)}`
  const table =
    rows.length > 0
      ? dataTable({ caption: 'Prices', columns: columnsFor(visit), rows })
      : html`<p class="none">Add a price so that buyers can buy this product.</p>`
  return html`<section class="card" aria-labelledby="prices"><header class="card-head"><h2 id="prices">Prices</h2>${ifOpen(visit, '/price_variants/new', html`<a class="button${rows.length > 0 ? '' : ' primary'}" href="${add}">Add a price</a>`)}</header>${table}</section>`
}

function columnsFor(visit: DashboardContext): Column<ViewedPrice>[] {
  const { base } = visit
  return [
    {
      words: 'Price',
      cell: (price) =>
        html`<a class="row-link" href="${base}/price_variants/${price.id}${ifOpen(visit, '/price_variants/:id/edit', html`/edit`)}">${nameOfPrice(price)}</a>`,
    },
    { words: 'Costs', cell: priceCell },
    { words: 'State', cell: stateOf },
    {
      words: 'Stock',
      cell: ({ quantity_available: left }) => (left === null ? 'Unlimited' : formatNumber(left)),
    },
    {
      words: 'Purchase link',
      cell: (price) =>
        price.archived ? html`<span class="none">–</span>` : copyableAddress(price.purchase_url, nameOfPrice(price)),
    },
  ]
}

function priceCell(price: ViewedPrice): Page {
  const terms = termsOfPrice(price)
  return html`${costInWords(price)}${terms.length > 0 ? html`<span class="aside">${terms.join(' ')}</span>` : ''}`
}

export const priceView = view('price_variant', {
  title: nameOfPrice,
  columns: ['name', 'product', 'costs', 'state', 'created_at'],
  cells: {
    costs: { title: 'Costs', show: (_, price) => html`${costInWords(price)}` },
    state: { title: 'State', show: (_, price) => stateOf(price) },
  },
  expand: ['product'],
  above: [
    async (_, price) =>
      html`<section class="card" aria-label="The price in words"><p><strong>${costInWords(price)}</strong> ${stateOf(price)}</p><p>${termsOfPrice(price).join(' ')}</p><p class="label">Purchase link</p>${copyableAddress(price.purchase_url, nameOfPrice(price))}</section>`,
  ],
  without: ['purchase_url', 'amount_type', 'billing_type', 'archived', 'hidden', 'x402_amount'],
  after: ({ base }, { product }) => `${base}/products/${typeof product === 'object' ? product.id : product}`,
  form: {
    groups: [
      { names: ['product', 'name'] },
      { title: 'Billing', names: ['billing_type', 'amount_type'], control: kindControl },
      { names: ['amount'], when: 'when-fixed' },
      { names: ['currency'], when: 'when-paid' },
      { names: ['minimum_amount', 'maximum_amount', 'preset_amount'], when: 'when-custom' },
      {
        title: 'Subscription',
        names: ['recurring_interval', 'interval_count', 'trial_period_days', 'setup_fee_amount', 'installment_count'],
        when: 'when-subscription',
      },
      { title: 'Offer', names: ['hidden', 'archived', 'quantity_available', 'benefits'] },
      { names: ['discounted_from_amount'], when: 'when-fixed' },
      { title: 'Access', names: ['revoke_after_days', 'experiences'] },
    ],
    labels: {
      amount: 'Price',
      recurring_interval: 'Every',
      interval_count: 'Number of intervals',
      installment_count: 'Ends after',
      setup_fee_amount: 'Setup fee',
      trial_period_days: 'Free trial days',
      discounted_from_amount: 'Former price',
      minimum_amount: 'Minimum',
      maximum_amount: 'Maximum',
      preset_amount: 'Suggested',
      quantity_available: 'Stock',
      hidden: 'Hidden',
      archived: 'Archived',
      revoke_after_days: 'Access ends after',
    },
    needed: ['amount', 'recurring_interval'],
    sent: readKind,
    hints: {
      name: 'Buyers see it when a product has several prices, such as Hardcover.',
      amount: 'Such as 29.00.',
      currency: 'Default is your shop’s currency.',
      recurring_interval: 'How often it is charged.',
      interval_count: 'For example, 3 with months is every quarter. Leave empty for 1.',
      installment_count: 'Number of payments. Leave empty to continue until canceled.',
      setup_fee_amount: 'Added to the first payment.',
      trial_period_days: 'Days before the first payment. Leave empty for no trial.',
      discounted_from_amount: 'Shown struck through next to the price. Must be higher than the price.',
      minimum_amount: 'Leave empty for no minimum.',
      maximum_amount: 'Leave empty for no maximum.',
      preset_amount: 'The amount that the checkout suggests.',
      quantity_available: 'How many are left. Leave empty for unlimited.',
      hidden: 'Not shown on the product’s page. Anyone with the purchase link can still buy it.',
      archived: 'No longer sold. Existing purchases do not change.',
      revoke_after_days: 'Days from the purchase. Leave empty for permanent access.',
      benefits: 'What buyers get, one item per line.',
      experiences: 'What buyers get access to.',
    },
  },
})
