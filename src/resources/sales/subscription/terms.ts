import type { Interval } from '../../../words/intervals.ts'
import type { DiscountRow } from '../../catalog/discount/discount.ts'

/** A discount as it was when the subscription began. */
export interface DiscountTerms {
  id: string
  discount_type: 'percent_off' | 'amount_off'
  percent_off: number | null
  amount_off: number | null
  duration: 'once' | 'repeating' | 'forever'
  duration_in_months: number | null
}

/** What a discount promises at this moment. */
export function discountTermsOf(discount: DiscountRow): DiscountTerms {
  const { id, discount_type, percent_off, amount_off, duration, duration_in_months } = discount
  return { id, discount_type, percent_off, amount_off, duration, duration_in_months }
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
  tax_code?: string | null
  /** The price was sold without the tax that is added to it. Absent or false: it never costs more than was agreed. */
  tax_added?: boolean
}
