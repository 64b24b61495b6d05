import { type RawBuilder, sql } from 'kysely'
import { type FieldErrors, invalid } from '../../../contract/declarations/errors.ts'
import type { Context } from '../../../records/context.ts'
import { requireUnique } from '../../../records/unique.ts'
import { Discount, type DiscountRow, type SHOWN_STATUSES } from './discount.ts'

const NONE = {
  discount_type: 'percent_off',
  percent_off: null,
  amount_off: null,
  currency: null,
  duration: 'once',
  duration_in_months: null,
  max_redemptions: null,
  times_redeemed: 0,
  /** Redemptions reserved by payments in progress; each counts once its payment succeeds. */
  reserved_count: 0,
  starts_at: null,
  redeem_by: null,
} as const

/** The fields of a discount that depend on each other. */
export type Terms = Pick<DiscountRow, keyof typeof NONE>

type TermsInput = { [Key in keyof Terms]?: Terms[Key] | undefined }

export const TERM_FIELDS = Object.keys(NONE)

const OTHER_TYPE = { percent_off: ['amount_off', 'currency'], amount_off: ['percent_off'] } as const

/** Merges fields into the old terms. Throws a 422 for invalid fields. Missing ones do not throw; `missingIn` finds them. */
export function settleTerms(given: TermsInput, before: Terms | null, now: string): Terms {
  const errors: FieldErrors = {}
  const terms = { ...NONE, ...termsOf(before ?? {}), ...termsOf(given) } as Terms
  for (const name of OTHER_TYPE[terms.discount_type]) {
    if (given[name] != null) errors[name] = [`cannot be given when discount_type is ${terms.discount_type}`]
    else Object.assign(terms, { [name]: null })
  }
  if (terms.duration !== 'repeating') {
    if (given.duration_in_months != null) errors.duration_in_months = ['can only be set when duration is repeating']
    terms.duration_in_months = null
  }
  const used = terms.times_redeemed + terms.reserved_count
  if (terms.max_redemptions !== null && terms.max_redemptions < used)
    errors.max_redemptions = [
      `must be at least ${used}, the number of redemptions so far, including payments in progress`,
    ]
  if (given.redeem_by != null && given.redeem_by !== before?.redeem_by && given.redeem_by <= now)
    errors.redeem_by = ['must be in the future']
  if (terms.starts_at !== null && terms.redeem_by !== null && terms.redeem_by <= terms.starts_at) {
    errors.redeem_by ??= ['must be after starts_at']
  }
  if (Object.keys(errors).length > 0) {
    const missing = missingIn(terms)
    throw invalid(missing === null ? errors : { [missing]: ["can't be blank"], ...errors })
  }
  return terms
}

/** Returns the first required field that the terms lack, or null. */
export function missingIn(terms: Terms): keyof Terms | null {
  if (terms[terms.discount_type] === null) return terms.discount_type
  if (terms.discount_type === 'amount_off' && terms.currency === null) return 'currency'
  if (terms.duration === 'repeating' && terms.duration_in_months === null) return 'duration_in_months'
  return null
}

function termsOf(values: TermsInput): TermsInput {
  const own = Object.entries(values).filter(([name, value]) => value !== undefined && name in NONE)
  return Object.fromEntries(own)
}

/** Returns the key by which discount codes are unique and looked up. */
export function codeKey(code: string): string {
  return code.trim().toLowerCase()
}

/** Throws a 422 if another discount than `except` has the code. */
export function requireFreeCode(context: Context, code: string, except: string): Promise<void> {
  return requireUnique(context, Discount, ['code_key', codeKey(code)], 'code', { except })
}

export type ShownStatus = (typeof SHOWN_STATUSES)[number]

/** Returns `inactive` if switched off, otherwise the status by dates and redemptions. `now` is compared as text with stored timestamps. */
export function shownStatus(discount: DiscountRow, now: string): ShownStatus {
  if (discount.switched === 'inactive') return 'inactive'
  if (discount.starts_at !== null && discount.starts_at > now) return 'scheduled'
  if (discount.redeem_by !== null && discount.redeem_by <= now) return 'expired'
  if (discount.max_redemptions !== null && discount.times_redeemed >= discount.max_redemptions) return 'expired'
  return 'active'
}

/** Returns an SQL condition for discounts whose `shownStatus` is `status`. */
export function whereStatus(status: ShownStatus, now: string): RawBuilder<boolean> {
  const on = sql`switched = 'active'`
  const started = sql`(starts_at is null or starts_at <= ${now})`
  const over = sql`((redeem_by is not null and redeem_by <= ${now}) or (max_redemptions is not null and times_redeemed >= max_redemptions))`
  if (status === 'inactive') return sql<boolean>`switched = 'inactive'`
  if (status === 'scheduled') return sql<boolean>`(${on} and not ${started})`
  return status === 'expired'
    ? sql<boolean>`(${on} and ${started} and ${over})`
    : sql<boolean>`(${on} and ${started} and not ${over})`
}
