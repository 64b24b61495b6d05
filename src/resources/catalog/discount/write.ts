import { ApiError, type FieldErrors, invalid, missingParameter } from '../../../contract/declarations/errors.ts'
import type { Changes, CreateInput } from '../../../contract/declarations/noun.ts'
import type { Context } from '../../../records/context.ts'
import { changeRow, deleteRow } from '../../../records/records.ts'
import { insertUnique } from '../../../records/unique.ts'
import { takeDiscountOffLinks } from '../../sales/checkout-link/withdraw.ts'
import { Discount, type DiscountRow } from './discount.ts'
import { requireTargets } from './targets.ts'
import { codeKey, missingIn, requireFreeCode, settleTerms, type Terms } from './terms.ts'

/** Cannot change once a code was redeemed, because buyers were promised these values. */
const FROZEN_ONCE_REDEEMED = ['discount_type', 'percent_off', 'amount_off', 'currency'] as const

export async function createDiscount(context: Context, input: CreateInput<typeof Discount>): Promise<DiscountRow> {
  const terms = newTerms(context, input)
  const targets = await requireTargets(context, input)
  const values = { ...input, ...terms, ...targets, code_key: codeKey(input.code) }
  const discount = await insertUnique(context, Discount, values, 'code_key', 'code')
  context.emit(Discount, 'created', discount)
  return discount
}

/** Throws a 422 for terms that contradict each other, and a 400 for a missing one. */
export function newTerms({ now }: Context, given: Partial<CreateInput<typeof Discount>>): Terms {
  const terms = settleTerms(given, null, now)
  const missing = missingIn(terms)
  if (missing) throw missingParameter(missing)
  return terms
}

export async function updateDiscount(
  context: Context,
  discount: DiscountRow,
  changes: Changes<typeof Discount>,
): Promise<DiscountRow> {
  const terms = settleTerms(changes, discount, context.now)
  const missing = missingIn(terms)
  if (missing) throw invalid({ [missing]: ["can't be blank"] })
  if (discount.times_redeemed + discount.reserved_count > 0) refuseFrozen(discount, terms)
  if (changes.code !== undefined) await requireFreeCode(context, changes.code, discount.id)
  const key = changes.code === undefined ? {} : { code_key: codeKey(changes.code) }
  const targets = await requireTargets(context, changes)
  const changed = await changeRow(context, Discount, discount, { ...changes, ...terms, ...targets, ...key })
  context.emit(Discount, 'updated', changed)
  return changed
}

function refuseFrozen(discount: DiscountRow, terms: Pick<DiscountRow, (typeof FROZEN_ONCE_REDEEMED)[number]>): void {
  const errors: FieldErrors = {}
  for (const name of FROZEN_ONCE_REDEEMED) {
    if (terms[name] !== discount[name])
      errors[name] = ['cannot change once the code has been redeemed; create another code and disable this one']
  }
  if (Object.keys(errors).length > 0) throw invalid(errors)
}

export async function deleteDiscount(context: Context, discount: DiscountRow): Promise<void> {
  if (discount.times_redeemed + discount.reserved_count > 0) {
    throw new ApiError(
      'resource_in_use',
      'This discount was redeemed and cannot be deleted; disable it with status: "inactive" instead.',
    )
  }
  await takeDiscountOffLinks(context, discount.id)
  await deleteRow(context, Discount, discount)
  context.emit(Discount, 'deleted', discount)
}
