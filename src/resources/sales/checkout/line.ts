import type { Interval } from '../../../words/intervals.ts'

/** Stands for the price and the product of a line that the service sells, not the account: a fee. */
export const NOT_FROM_CATALOG = ''

/** One line of a cart, with the price as it was when the line was made. */
export interface Line {
  price_variant: string
  product: string
  product_name: string
  price_variant_name: string
  quantity: number
  /** Price of one in minor units. Null while the buyer of a custom price has named none. */
  unit_amount: number | null
  currency: string
  /** Bounds of a custom price; null for others. */
  custom: { minimum: number | null; maximum: number | null } | null
  /** Terms of a subscription; null for a one-time or free price. */
  recurring: Recurring | null
  revoke_after_days: number | null
  /** Of the product; absent in lines from before there was tax. */
  tax_code?: string | null
  /** The prices with their tax, where the buyer pays them without. */
  listed?: { unit_amount: number; setup_fee_amount: number }
}

export interface Recurring {
  interval: Interval
  interval_count: number
  installment_count: number | null
  /** Once, whatever the quantity; never discounted. */
  setup_fee_amount: number
  trial_period_days: number | null
}

/** A line with what it costs now. */
export interface PricedLine extends Line {
  /** Part of the amount, once whatever the quantity. */
  setup_fee_amount: number
  amount_discount: number
  /** unit × quantity + setup fee − discount + tax that prices do not include; in a trial the setup fee alone, with its tax. */
  amount: number
  /** Part of the amount. Absent in lines from before there was tax. */
  amount_tax?: number
}
