export const INTERVALS = ['day', 'week', 'month', 'year'] as const
export type Interval = (typeof INTERVALS)[number]

/** A discount as it was when the subscription began. */
export interface DiscountTerms {
  id: string
  discount_type: 'percent_off' | 'amount_off'
  percent_off: number | null
  amount_off: number | null
  duration: 'once' | 'repeating' | 'forever'
  duration_in_months: number | null
}

/** What a buyer and a merchant agreed to at the beginning of a subscription. */
export interface SubscriptionTerms {
  interval: Interval
  interval_count: number
  /** Price of one per period, minor units. */
  unit_amount: number
  installment_count: number | null
  revoke_after_days: number | null
  product_name: string
  price_variant_name: string
  discount: DiscountTerms | null
}

export const NO_TERMS: SubscriptionTerms = {
  interval: 'month',
  interval_count: 1,
  unit_amount: 0,
  installment_count: null,
  revoke_after_days: null,
  product_name: '',
  price_variant_name: '',
  discount: null,
}
