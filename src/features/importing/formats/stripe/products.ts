import { fixedPrice, MAX_NAME, type PriceDraft } from '../drafts.ts'
import { format } from '../format.ts'
import type { Reader } from '../reading/reader.ts'
import type { TableRow } from '../reading/table.ts'

const ID = ['id', 'Product ID'] as const
const NAME = 'Name'
const DESCRIPTION = 'Description'
const CREATED = ['Created (UTC)', 'Date (UTC)'] as const
const TAX_CODE = ['Tax Code', 'Product Tax Code'] as const
const ACTIVE = 'Active'
const METADATA_COLUMNS = { url: 'URL', stripe_id: ID } as const

/** Stripe's product export. Its prices are in a separate file. */
export const stripeProducts = format<'products'>({
  kind: 'products',
  name: 'products',
  needs: ['id', NAME, 'Type'],
  reads: [NAME, DESCRIPTION, CREATED, TAX_CODE, ACTIVE, ...Object.values(METADATA_COLUMNS)],
  leavesOut: ['Type', 'Statement Descriptor', 'Unit Label', 'Shippable', 'Package Dimensions'],
  draft([row], read) {
    const sourceId = read.required(row, ID)
    const name = read.required(row, NAME, MAX_NAME)
    const values = {
      status: read.flag(row, ACTIVE) === false ? ('archived' as const) : ('active' as const),
      description: read.text(row, DESCRIPTION, 5000),
      tax_code: read.text(row, TAX_CODE, 50),
      createdAt: read.moment(row, CREATED, 'UTC'),
      metadata: read.metadata(row, METADATA_COLUMNS),
      ...{ slug: null, body_html: null, button_cta: null, available_from: null, available_until: null },
      ...{ seo_title: null, seo_description: null, prices: [] },
    }
    return read.problems.length > 0 ? null : { ...values, sourceId, name }
  },
})

const PRICE_ID = 'Price ID'
const PRODUCT_ID = 'Product ID'
const PRODUCT_NAME = 'Product Name'
const PRICE_NAME = ['Nickname', 'Description'] as const
const AMOUNT = 'Amount'
const CURRENCY = 'Currency'
const INTERVAL = 'Interval'
const INTERVAL_COUNT = 'Interval Count'
const TRIAL = 'Trial Period Days'
const SCHEME = 'Billing Scheme'
const USAGE = 'Usage Type'
export const INTERVALS = ['day', 'week', 'month', 'year'] as const

export const stripePrices = format<'prices'>({
  kind: 'prices',
  name: 'prices',
  needs: [PRICE_ID, PRODUCT_ID, AMOUNT, CURRENCY],
  reads: [
    ...[PRICE_ID, PRODUCT_ID, PRODUCT_NAME, PRICE_NAME, AMOUNT, CURRENCY, INTERVAL, INTERVAL_COUNT, TRIAL],
    ...[SCHEME, USAGE, CREATED],
  ],
  leavesOut: ['Product Statement Descriptor', 'Product Tax Code', 'Aggregate Usage', 'Tax Behavior'],
  draft([row], read) {
    const product = read.required(row, PRODUCT_ID)
    const prices = priceOf(row, read)
    if (read.problems.length > 0) return null
    const productName = read.text(row, PRODUCT_NAME, MAX_NAME)
    return { sourceId: product, createdAt: null, product, productName, prices }
  },
})

function priceOf(row: TableRow, read: Reader): PriceDraft[] {
  const sourceId = read.required(row, PRICE_ID)
  const currency = read.currency(row, CURRENCY)
  const amount = read.amount(row, AMOUNT, currency)
  if (amount === null && read.problems.length === 0)
    read.refuse(row, AMOUNT, 'is empty: prices in tiers, and those that buyers choose, have to be made by hand')
  if (read.text(row, USAGE)?.toLowerCase() === 'metered')
    read.refuse(row, USAGE, 'is metered: what is charged by use has no price here')
  if (read.text(row, SCHEME)?.toLowerCase() === 'tiered')
    read.refuse(row, SCHEME, 'is tiered: a price here is one amount')
  const interval = read.oneOf(row, INTERVAL, INTERVALS)
  const trial = read.whole(row, TRIAL, { max: 730 })
  const count = read.whole(row, INTERVAL_COUNT, { min: 1, max: 1095 })
  if (amount === null) return []
  const once = fixedPrice(amount, currency)
  const recurring = { recurring_interval: interval, interval_count: count ?? 1, trial_period_days: trial || null }
  const isRecurring = interval !== null && amount > 0
  return [
    {
      ...once,
      ...(isRecurring && { pricing: { amount, billing_type: 'subscription' as const, ...recurring } }),
      ...{ sourceId, aliases: [], quantity_available: null },
      name: read.text(row, PRICE_NAME, MAX_NAME) ?? 'Default',
      createdAt: read.moment(row, CREATED, 'UTC'),
    },
  ]
}
