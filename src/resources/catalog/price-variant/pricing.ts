import { type FieldErrors, invalid } from '../../../contract/declarations/errors.ts'
import type { PriceVariantRow } from './price-variant.ts'

const NONE = {
  amount_type: 'fixed',
  amount: null,
  billing_type: 'one_time',
  recurring_interval: null,
  interval_count: null,
  installment_count: null,
  setup_fee_amount: null,
  trial_period_days: null,
  discounted_from_amount: null,
  minimum_amount: null,
  maximum_amount: null,
  preset_amount: null,
} as const

/** The fields of a price that depend on each other. */
export type Pricing = Pick<PriceVariantRow, keyof typeof NONE>

export type PricingInput = { [Key in keyof Pricing]?: Pricing[Key] | undefined }

export const PRICING_FIELDS = Object.keys(NONE)

const SUBSCRIPTION_ONLY = [
  'recurring_interval',
  'interval_count',
  'installment_count',
  'setup_fee_amount',
  'trial_period_days',
] as const
const CUSTOM_ONLY = ['minimum_amount', 'maximum_amount', 'preset_amount'] as const

/** Each value makes a billing period of at most three years. */
const LONGEST_CYCLE = { day: 1095, week: 156, month: 36, year: 3 }

/**
 * Merges the given fields into the old price. Derives the amount type and billing type from each other, and clears fields that no longer
 * apply. Throws a 422 for contradictions. Missing fields do not throw; `missingIn` finds them.
 */
export function settlePricing(given: PricingInput, before: Pricing = NONE): Pricing {
  const errors: FieldErrors = {}
  const types = settleTypes(given, before, errors)
  const price: Pricing = { ...pricingOf(before), ...pricingOf(given), ...types }
  const clear = (names: readonly (keyof Pricing)[], why: string) => {
    for (const name of names) {
      if (given[name] != null) errors[name] = [why]
      else Object.assign(price, { [name]: null })
    }
  }
  if (price.billing_type !== 'subscription') clear(SUBSCRIPTION_ONLY, 'is only for subscriptions')
  else price.interval_count ??= 1
  if (price.amount_type !== 'custom') clear(CUSTOM_ONLY, 'is only for custom amounts')
  if (price.amount_type !== 'fixed') clear(['discounted_from_amount'], 'is only for fixed amounts')
  settleAmount(price, given, errors)
  checkRanges(price, errors)
  if (Object.keys(errors).length > 0) throw invalid(withMissing(errors, price))
  return price
}

/** Adds an error for the first missing field, unless that field has one already. */
function withMissing(errors: FieldErrors, price: Pricing): FieldErrors {
  const missing = missingIn(price)
  return missing === null ? errors : { [missing]: ["can't be blank"], ...errors }
}

/** Returns the first required field that the price lacks, or null. */
export function missingIn(price: Pricing): keyof Pricing | null {
  if (price.amount_type === 'fixed' && price.amount === null) return 'amount'
  if (price.billing_type === 'subscription' && price.recurring_interval === null) return 'recurring_interval'
  return null
}

/** Derives the amount type and the billing type: either both are `free` or neither is. */
function settleTypes(
  given: PricingInput,
  before: Pricing,
  errors: FieldErrors,
): Pick<Pricing, 'amount_type' | 'billing_type'> {
  const saysFree =
    given.billing_type === 'free' ||
    (given.amount_type === undefined && given.billing_type === undefined && given.amount === 0)
  const leavesFree = before.amount_type === 'free' && (given.billing_type !== undefined || (given.amount ?? 0) > 0)
  const amount_type = given.amount_type ?? (saysFree ? 'free' : leavesFree ? 'fixed' : before.amount_type)
  const freeBefore = before.billing_type === 'free'
  const billing_type =
    given.billing_type ?? (amount_type === 'free' ? 'free' : freeBefore ? 'one_time' : before.billing_type)
  if ((amount_type === 'free') !== (billing_type === 'free')) {
    errors.billing_type = [
      amount_type === 'free' ? 'must be free when amount_type is free' : 'can only be free when amount_type is free',
    ]
  }
  return { amount_type, billing_type }
}

function settleAmount(price: Pricing, given: PricingInput, errors: FieldErrors): void {
  if (price.amount_type === 'fixed') {
    if (price.amount === 0 && given.amount === undefined) price.amount = null
    if (price.amount === 0)
      errors.amount = ['must be at least 1 for a fixed price; use amount_type free for a free one']
    return
  }
  if (given.amount) errors.amount = [`must be 0 when amount_type is ${price.amount_type}`]
  price.amount = 0
}

function checkRanges(price: Pricing, errors: FieldErrors): void {
  const {
    amount,
    discounted_from_amount: from,
    minimum_amount: min,
    maximum_amount: max,
    preset_amount: preset,
  } = price
  if (from !== null && amount !== null && from <= amount)
    errors.discounted_from_amount = ['must be greater than amount']
  if (min !== null && max !== null && min >= max) errors.maximum_amount = ['must be greater than minimum_amount']
  if (preset !== null && min !== null && preset < min) errors.preset_amount = ['must be at least minimum_amount']
  if (preset !== null && max !== null && preset > max) errors.preset_amount = ['must be at most maximum_amount']
  if (price.recurring_interval !== null && (price.interval_count ?? 1) > LONGEST_CYCLE[price.recurring_interval]) {
    errors.interval_count = [
      `must be at most ${LONGEST_CYCLE[price.recurring_interval]} for ${price.recurring_interval} (3 years)`,
    ]
  }
}

function pricingOf<Part extends PricingInput>(values: Part): Pick<Part, keyof Part & keyof Pricing> {
  const own = Object.entries(values).filter(([name, value]) => value !== undefined && name in NONE)
  return Object.fromEntries(own) as Pick<Part, keyof Part & keyof Pricing>
}
