import type { Pricing } from '../resources/catalog/price_variant/pricing.ts'

/** What a file is of. A file of prices adds them to products. */
export type Kind = 'products' | 'prices' | 'customers' | 'subscriptions' | 'orders'

/** What a row is remembered by, so that it is taken once: a name within its source. */
export interface Draft {
  sourceId: string
  /** When it was made there; null where the file does not say. */
  createdAt: string | null
}

export interface CustomerDraft extends Draft {
  email: string
  name: string | null
  first_name: string | null
  last_name: string | null
  phone_number: string | null
  country: string | null
  region: string | null
  vat_id: string | null
  tags: string[]
  metadata: Record<string, string>
}

export interface PriceDraft extends Draft {
  /** Other names that lines of orders know it by. */
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

/** Prices of a product that another file, or an earlier import, has brought. */
export interface PricesDraft extends Draft {
  /** The source's id of the product. */
  product: string
  /** The product itself, where no file has brought it. */
  productName: string | null
  prices: PriceDraft[]
}

/** Who bought: by address, or by the source's id of the customer. */
export interface BuyerDraft {
  email: string | null
  sourceId: string | null
  name: string | null
}

export interface LineDraft {
  /** The price, by any of the names that it is remembered by. */
  keys: string[]
  product_name: string
  price_variant_name: string
  tax_code: string | null
  quantity: number
  unit_amount: number
  setup_fee_amount: number
  /** What was paid for it, tax included. */
  amount: number
  amount_discount: number
  amount_tax: number
  amount_tax_refunded: number
  amount_refunded: number
}

export interface OrderDraft extends Draft {
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
  country: string | null
  region: string | null
  vat_id: string | null
  metadata: Record<string, string>
  /** The source's id of the subscription that it paid for. */
  subscription: string | null
  lines: LineDraft[]
}

export interface SubscriptionDraft extends Draft {
  buyer: BuyerDraft
  keys: string[]
  product_name: string
  price_variant_name: string
  quantity: number
  unit_amount: number
  currency: string
  interval: 'day' | 'week' | 'month' | 'year'
  interval_count: number
  installment_count: number | null
  /** Whether it goes on: it then waits here, paused. */
  goesOn: boolean
  started_at: string
  current_period_start: string
  current_period_end: string
  trial_ends_at: string | null
  /** When it ended, or will; null where it goes on. */
  ends_at: string | null
  canceled_at: string | null
  cancellation_reason: string | null
  country: string | null
  region: string | null
  vat_id: string | null
  metadata: Record<string, string>
}

export interface DraftOf {
  products: ProductDraft
  prices: PricesDraft
  customers: CustomerDraft
  orders: OrderDraft
  subscriptions: SubscriptionDraft
}
