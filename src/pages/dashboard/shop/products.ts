import { html } from 'hono/html'
import { counted } from '../../../format/counts.ts'
import { currencyCode, formatMoney } from '../../../format/money.ts'
import { formatDecimal, formatNumber } from '../../../format/numbers.ts'
import {
  costInWords,
  nameOfPrice,
  priceInShort,
  termsOfPrice,
} from '../../../resources/catalog/price-variant/in-words.ts'
import { productSales } from '../../../resources/dashboard/product-sales.ts'
import { type Column, dataTable, type Fact, factList, headedCard, type Page } from '../../parts/markup.ts'
import { becomes } from '../derived/chosen.ts'
import { answeredRows } from '../kit/call.ts'
import { copyableAddress } from '../kit/copy-buttons.ts'
import { icon } from '../kit/icons.ts'
import { ifOpen } from '../kit/page-rights.ts'
import { type DashboardContext, type Viewed, view } from '../kit/visit.ts'
import { kindControl, readKind } from './price-kind.ts'
import { newCode, productCodes } from './product-codes.ts'

export const productView = view('product', {
  lead: 'What you sell, each with its prices.',
  search: 'Name or slug',
  picture: (_, { media_gallery: media }) => cover(media),
  bulk: [
    { name: 'archive', button: 'Archive', method: 'patch', body: { status: 'archived' }, says: becomes('archived') },
    { name: 'activate', button: 'Activate', method: 'patch', body: { status: 'active' }, says: becomes('activated') },
  ],
  columns: ['name', 'price', 'status', 'reviews', 'created_at'],
  cells: {
    price: {
      title: 'Price',
      show: (_, { price_variants: prices }) => {
        const words = priceInShort(prices)
        return words === '' ? html`<span class="none">No price yet</span>` : html`${words}`
      },
    },
    reviews: {
      title: 'Reviews',
      show: (_, { reviews_count: count, average_rating: average }) =>
        count > 0 && average !== null
          ? html`${formatDecimal(average, 1)} of 5 <span class="soft">(${formatNumber(count)})</span>`
          : html`<span class="none">–</span>`,
    },
  },
  above: [newCode, pricesOf, productCodes, sales],
  sections: [gallery],
  main: [
    'description',
    'slug',
    'available_from',
    'available_until',
    'published_at',
    'reviews_count',
    'average_rating',
    'created_at',
  ],
  without: ['name', 'status', 'url', 'media_gallery', 'body_html'],
  labels: {
    slug: 'Slug',
    available_from: 'Sold from',
    available_until: 'Sold until',
    published_at: 'On sale since',
    reviews_count: 'Reviews',
  },
  related: ['review'],
  links: (_, { url, status }) =>
    html`<a class="button" href="${url}" target="_blank" rel="noreferrer noopener" data-turbo="false">${status === 'active' ? 'View page' : 'Page address, once active'}</a>`,
})

function cover(media: Viewed<'product'>['media_gallery']): Page {
  const first = media.find(({ type, url }) => !type.startsWith('video') && url !== null && /^(https?:)?\//.test(url))
  return first ? html`<img src="${first.url!}" alt="" loading="lazy" decoding="async">` : icon('products')
}

async function sales(visit: DashboardContext, { id }: Viewed<'product'>): Promise<Page | null> {
  const { days, sold } = await visit.read(productSales, id)
  const facts = sold.map(
    ({ currency, units, revenue, orders }): Fact => [
      currencyCode(currency),
      html`<strong>${formatMoney(revenue, currency)}</strong> from ${counted(units, 'unit')} in ${counted(orders, 'order')}`,
    ],
  )
  const content = facts.length > 0 ? factList('fields', facts) : html`<p class="none">No sales in this period.</p>`
  const all = html`<p class="aside"><a href="${visit.base}/orders?product=${encodeURIComponent(id)}">All orders with this product</a></p>`
  return headedCard('sales', `Sales of the last ${days} days`, html`${content}${all}`)
}

async function gallery(_: DashboardContext, { name, media_gallery: media }: Viewed<'product'>): Promise<Page | null> {
  const shownFiles = media.filter(({ url }) => url !== null && /^(https?:)?\//.test(url))
  if (shownFiles.length === 0) return null
  const items = shownFiles.map(({ type, url }, place) =>
    type.startsWith('video')
      ? html`<li><video src="${url!}" controls preload="metadata" aria-label="Video ${place + 1} of ${name}"></video></li>`
      : html`<li><img src="${url!}" alt="Picture ${place + 1} of ${name}" loading="lazy"></li>`,
  )
  return html`<section class="related" aria-labelledby="gallery"><header><h2 id="gallery">Gallery</h2></header><ul class="gallery">${items}</ul></section>`
}

type ViewedPrice = Viewed<'price_variant'>

const MOST = 100

function stateOf({ archived, hidden, quantity_available: left }: ViewedPrice): Page {
  if (archived) return html`<span class="badge">Archived</span>`
  if (left === 0) return html`<span class="badge bad">Sold out</span>`
  return hidden ? html`<span class="badge wait">Hidden</span>` : html`<span class="badge good">On sale</span>`
}

async function pricesOf(visit: DashboardContext, product: Viewed<'product'>): Promise<Page> {
  const query = { product: product.id, limit: MOST }
  const { rows } = await answeredRows(visit.call('GET /price_variants', { query }))
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
