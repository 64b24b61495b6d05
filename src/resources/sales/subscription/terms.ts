import type { Interval } from '../../../format/intervals.ts'
import type { DiscountRow } from '../../catalog/discount/discount.ts'

/** Returns the terms of a discount as they are when a subscription begins. */
export function discountTermsOf(discount: DiscountRow) {
  const { id, discount_type, percent_off, amount_off, duration, duration_in_months } = discount
  return { id, discount_type, percent_off, amount_off, duration, duration_in_months }
}

export type DiscountTerms = ReturnType<typeof discountTermsOf>

/** The terms that the buyer agreed to when the subscription began. */
export interface SubscriptionTerms {
  interval: Interval
  interval_count: number
  /** Unit price per period, in minor units. */
  unit_amount: number
  installment_count: number | null
  revoke_after_days: number | null
  product_name: string
  price_variant_name: string
  discount: DiscountTerms | null
  tax_code?: string | null
  /** True if tax was added to the price when it was sold. Otherwise the price includes tax and never rises. */
  tax_added?: boolean
}
