import type { Interval } from '../../../format/intervals.ts'

/** The price and product id in the line of a service fee, because a fee is not in the catalog of the account. */
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
  /** The bounds of a custom price in minor units; null for other prices. */
  custom: { minimum: number | null; maximum: number | null } | null
  /** Null for a one-time or free price. */
  recurring: Recurring | null
  revoke_after_days: number | null
  /** The product's tax code; absent in lines that were stored before taxes were supported. */
  tax_code?: string | null
  /** The prices including tax, if the buyer owes the tax itself (reverse charge) and pays less. */
  listed?: { unit_amount: number; setup_fee_amount: number }
}

export interface Recurring {
  interval: Interval
  interval_count: number
  installment_count: number | null
  /** Charged once for any quantity, and never discounted. */
  setup_fee_amount: number
  trial_period_days: number | null
}

export interface PricedLine extends Line {
  /** Included in `amount`; charged once for any quantity. */
  setup_fee_amount: number
  amount_discount: number
  /** Unit price × quantity + setup fee − discount + tax not included in prices; in a trial, only the setup fee with its tax. */
  amount: number
  /** The tax in `amount`; absent in lines that were stored before taxes were supported. */
  amount_tax?: number
}
