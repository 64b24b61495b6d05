import type { Pricing } from '../../../resources/catalog/price-variant/pricing.ts'
import { allocate } from '../../../resources/sales/allocation.ts'
import { taxRefunded } from '../../../resources/sales/checkout/tax/compute.ts'
import type { Column, Reader } from './reading/reader.ts'
import type { TableRow } from './reading/table.ts'

export const SOURCES = ['shopify', 'stripe', 'csv'] as const
export type Source = (typeof SOURCES)[number]

export interface Format<K extends Kind = Kind> {
  kind: K
  /** The name of the format in texts for people, such as `payments`. */
  name: string
  /** Columns that identify the format. A file must have all of them. */
  needs: readonly Column[]
  /** All columns that are imported, including `needs`. */
  reads: readonly Column[]
  /** Known columns that this service cannot store. The report lists them separately. */
  leavesOut?: readonly string[]
  /** Returns the key of the row's object. Consecutive rows with the same key belong to one object. */
  key(row: TableRow, read: Reader): string
  /** Returns the object's draft, a LeftOut if it is skipped without an error, or null if `read` has collected problems. */
  draft(rows: readonly [TableRow, ...TableRow[]], read: Reader): DraftOf[K] | LeftOut | null
}

/** An object that is skipped without an error, such as an order that was not paid. */
export interface LeftOut {
  leftOut: string
}

export function isLeftOut(draft: object): draft is LeftOut {
  return 'leftOut' in draft
}

/** Checks a format for one kind and widens its type. Without a `key`, each row is an object of its own. */
export function format<K extends Kind>(one: Omit<Format<K>, 'key'> & Partial<Pick<Format, 'key'>>): Format {
  return { key: ({ line }) => String(line), ...(one as Omit<Format, 'key'>) }
}

export const MAX_NAME = 100

type OneTimePrice = Omit<PriceDraft, 'sourceId' | 'aliases' | 'name' | 'quantity_available'>

/** Returns a one-time price, which is free if the amount is 0. */
export function fixedPrice(amount: number, currency: string, before: number | null = null): OneTimePrice {
  const discounted_from_amount = before !== null && before > amount && amount > 0 ? before : null
  const pricing = amount === 0 ? { amount, amount_type: 'free' as const } : { amount, discounted_from_amount }
  return {
    ...{ currency, pricing, createdAt: null, revoke_after_days: null },
    ...{ waitlist: false, hidden: false, archived: false, benefits: [] },
  }
}

/** Returns the keys by which order lines may refer to a price, beginning with the one with the SKU. */
export function priceKeys({
  sku,
  product,
  variant,
}: {
  sku: string | null
  product: string
  variant: string
}): string[] {
  const name = variant === '' ? product : `${product} - ${variant}`
  return [...(sku === null ? [] : [skuKey(sku)]), nameKey(name)]
}

export function skuKey(sku: string): string {
  return `sku:${sku}`
}

export function nameKey(name: string): string {
  return `name:${name.toLowerCase()}`
}

/** The kind of objects in a file. A file of prices adds prices to products. */
export type Kind = 'products' | 'prices' | 'customers' | 'subscriptions' | 'orders'

/** An object to import. The source's id identifies it within the source, so that it is imported only once. */
export interface Draft {
  sourceId: string
  createdAt: string | null
}

/** The place of a buyer, for tax. */
interface Place {
  country: string | null
  region: string | null
  vat_id: string | null
}

export interface CustomerDraft extends Draft, Place {
  email: string
  name: string | null
  first_name: string | null
  last_name: string | null
  phone_number: string | null
  tags: string[]
  metadata: Record<string, string>
}

export interface PriceDraft extends Draft {
  /** Other keys by which order lines refer to the price. */
  aliases: string[]
  name: string
  currency: string
  pricing: Partial<Pricing> & { amount: number }
  revoke_after_days: number | null
  quantity_available: number | null
  waitlist: boolean
  hidden: boolean
  archived: boolean
  benefits: string[]
}

export interface ProductDraft extends Draft {
  name: string
  slug: string | null
  status: 'draft' | 'active' | 'archived'
  description: string | null
  body_html: string | null
  button_cta: string | null
  available_from: string | null
  available_until: string | null
  tax_code: string | null
  seo_title: string | null
  seo_description: string | null
  metadata: Record<string, string>
  prices: PriceDraft[]
}

/** Prices for a product that another file or an earlier import contains. */
export interface PricesDraft extends Draft {
  product: string
  /** The name for the product if no file contains it. */
  productName: string | null
  prices: PriceDraft[]
}

/** The buyer of an order or subscription, identified by email or by the source's customer id. */
export interface BuyerDraft {
  email: string | null
  sourceId: string | null
  name: string | null
}

/** A sold item as in the source, with its price before discounts and tax. */
export interface ListedLine {
  /** The keys under which the price of the line may be known. */
  keys: string[]
  product_name: string
  price_variant_name: string
  quantity: number
  unit_amount: number
}

export interface LineDraft extends ListedLine {
  tax_code: string | null
  setup_fee_amount: number
  /** The amount that was paid for the line, including tax. */
  amount: number
  amount_discount: number
  amount_tax: number
  amount_tax_refunded: number
  amount_refunded: number
}

export interface OrderDraft extends Draft, Place {
  buyer: BuyerDraft
  currency: string
  paid_at: string
  amount: number
  subtotal: number
  amount_discount: number
  amount_tax: number
  tax_inclusive: boolean
  amount_refunded: number
  amount_tax_refunded: number
  metadata: Record<string, string>
  subscription: string | null
  lines: LineDraft[]
}

export interface SubscriptionDraft extends Draft, Place, ListedLine {
  buyer: BuyerDraft
  currency: string
  interval: 'day' | 'week' | 'month' | 'year'
  interval_count: number
  installment_count: number | null
  /** Whether the subscription is active in the source. It is imported as paused. */
  goesOn: boolean
  started_at: string
  current_period_start: string
  current_period_end: string
  trial_ends_at: string | null
  /** The past or future end of the subscription; null if none is planned. */
  ends_at: string | null
  canceled_at: string | null
  cancellation_reason: string | null
  metadata: Record<string, string>
}

interface DraftOf {
  products: ProductDraft
  prices: PricesDraft
  customers: CustomerDraft
  orders: OrderDraft
  subscriptions: SubscriptionDraft
}

interface ListedOrder {
  lines: readonly ListedLine[]
  /** The paid total, including `tax` and `refunded`. */
  total: number
  tax: number
  refunded: number
  discount: number
}

/** The name of the line for amounts that no listed line contains: tips, duties, gift cards and manual changes. */
const OTHER_CHARGES = 'Other charges'

/** Computes line amounts that add up exactly to the paid total. A missing amount becomes an extra line, an excess a discount. */
export function settle({ lines: listed, total, tax: given, refunded: back, discount: given_off }: ListedOrder) {
  const tax = Math.min(given, total)
  const goods = listed.reduce((sum, { unit_amount, quantity }) => sum + unit_amount * quantity, 0)
  const off = Math.min(given_off, goods)
  const tax_inclusive = tax > 0 && goods - off === total
  const added = tax_inclusive ? 0 : tax
  const rest = total - added - (goods - off)
  const lines = rest > 0 || listed.length === 0 ? [...listed, lineOf(OTHER_CHARGES, Math.max(rest, 0))] : listed
  const subtotal = goods + Math.max(rest, 0)
  const amount_discount = off + Math.max(-rest, 0)
  const refunded = Math.min(back, total)
  const settled = share(lines, { subtotal, amount_discount, tax, added, refunded })
  const amount_tax_refunded = settled.reduce((sum, line) => sum + line.amount_tax_refunded, 0)
  const sums = { amount: total, subtotal, amount_discount, amount_tax: tax, tax_inclusive }
  return { ...sums, amount_refunded: refunded, amount_tax_refunded, lines: settled }
}

/** Returns a line without a product in the shop, such as one for shipping. */
export function lineOf(name: string, amount: number): ListedLine {
  return { keys: [], product_name: name, price_variant_name: 'Default', quantity: 1, unit_amount: amount }
}

interface OrderTotals {
  subtotal: number
  amount_discount: number
  tax: number
  added: number
  refunded: number
}

function share(lines: readonly ListedLine[], whole: OrderTotals): LineDraft[] {
  const gross = lines.map(({ unit_amount, quantity }) => unit_amount * quantity)
  const discounts = allocate(whole.amount_discount, gross)
  const net = gross.map((amount, index) => amount - discounts[index]!)
  const taxes = spread(whole.tax, net)
  const amounts = net.map((amount, index) => amount + (whole.added > 0 ? taxes[index]! : 0))
  const refunds = allocate(whole.refunded, amounts)
  return lines.map((line, index) => ({
    ...line,
    ...{ tax_code: null, setup_fee_amount: 0 },
    amount: amounts[index]!,
    amount_discount: discounts[index]!,
    amount_tax: taxes[index]!,
    amount_refunded: refunds[index]!,
    amount_tax_refunded: taxRefunded(taxes[index]!, refunds[index]!, amounts[index]!),
  }))
}

/** Splits a total in proportion to weights, exact to the minor unit. The total may exceed the sum of the weights, as added tax can. */
function spread(total: number, weights: readonly number[]): number[] {
  const sum = weights.reduce((all, weight) => all + weight, 0)
  if (total <= sum) return allocate(total, weights)
  return weights.map((weight, index) => (index === 0 ? total - (sum - weight) : weight))
}
