import type { Pricing } from '../../../resources/catalog/price-variant/pricing.ts'

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

export interface DraftOf {
  products: ProductDraft
  prices: PricesDraft
  customers: CustomerDraft
  orders: OrderDraft
  subscriptions: SubscriptionDraft
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

/** Returns the keys by which order lines may refer to a price: the SKU first, if there is one, then the name. */
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
