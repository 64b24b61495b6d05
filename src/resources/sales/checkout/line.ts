import type { Interval } from '../../../format/intervals.ts'

/** The price and product id in the line of a service fee, because the account's catalog does not contain it. */
export const NOT_FROM_CATALOG = ''

/** A line of a cart, with the price as it was when the line was created. */
export interface Line {
  price_variant: string
  product: string
  product_name: string
  price_variant_name: string
  quantity: number
  /** Unit price in minor units; null for a custom price whose amount the buyer has not chosen yet. */
  unit_amount: number | null
  currency: string
  /** The minimum and maximum of a custom price; null for other prices. */
  custom: { minimum: number | null; maximum: number | null } | null
  /** Terms of a subscription; null for a one-time or free price. */
  recurring: Recurring | null
  revoke_after_days: number | null
  /** The product's tax code; absent in lines that were stored before taxes were supported. */
  tax_code?: string | null
  /** The list prices including tax, set if the buyer pays the prices without that tax. */
  listed?: { unit_amount: number; setup_fee_amount: number }
}

export interface Recurring {
  interval: Interval
  interval_count: number
  installment_count: number | null
  /** The fee is charged once for any quantity and is never discounted. */
  setup_fee_amount: number
  trial_period_days: number | null
}

/** A line with its current cost. */
export interface PricedLine extends Line {
  /** This fee is part of `amount` and is charged once for any quantity. */
  setup_fee_amount: number
  amount_discount: number
  /** Unit price × quantity + setup fee − discount + tax not included in prices; in a trial, only the setup fee with its tax. */
  amount: number
  /** The tax in `amount`; absent in lines that were stored before taxes were supported. */
  amount_tax?: number
}
