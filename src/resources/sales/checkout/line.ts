import type { Interval } from '../../../format/intervals.ts'

/** The price and product id in the line of a fee, which the service sells and not the account. */
export const NOT_FROM_CATALOG = ''

/** A line of a cart, with the price as it was when the line was created. */
export interface Line {
  price_variant: string
  product: string
  product_name: string
  price_variant_name: string
  quantity: number
  /** Unit price in minor units; null until the buyer of a custom price chooses it. */
  unit_amount: number | null
  currency: string
  /** Bounds of a custom price; null for other prices. */
  custom: { minimum: number | null; maximum: number | null } | null
  /** Terms of a subscription; null for a one-time or free price. */
  recurring: Recurring | null
  revoke_after_days: number | null
  /** The product's tax code; absent in lines from before taxes were supported. */
  tax_code?: string | null
  /** The list prices, which include tax, if the buyer pays them without it. */
  listed?: { unit_amount: number; setup_fee_amount: number }
}

export interface Recurring {
  interval: Interval
  interval_count: number
  installment_count: number | null
  /** Charged once for any quantity; never discounted. */
  setup_fee_amount: number
  trial_period_days: number | null
}

/** A line with its current cost. */
export interface PricedLine extends Line {
  /** Part of `amount`; charged once for any quantity. */
  setup_fee_amount: number
  amount_discount: number
  /** unit × quantity + setup fee − discount + tax that prices do not include; in a trial only the setup fee, with its tax. */
  amount: number
  /** Part of `amount`; absent in lines from before taxes were supported. */
  amount_tax?: number
}
