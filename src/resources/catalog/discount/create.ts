import { missingParameter } from '../../../contract/declarations/errors.ts'
import type { CreateInput } from '../../../contract/declarations/noun.ts'
import type { Context } from '../../../records/context.ts'
import { insertUnique } from '../../../records/unique.ts'
import { Discount, type DiscountRow } from './discount.ts'
import { requireTargets } from './targets.ts'
import { codeKey, missingIn, settleTerms, type Terms } from './terms.ts'

export async function createDiscount(context: Context, input: CreateInput<typeof Discount>): Promise<DiscountRow> {
  const terms = newTerms(context, input)
  const targets = await requireTargets(context, input)
  const values = { ...input, ...terms, ...targets, code_key: codeKey(input.code) }
  const discount = await insertUnique(context, Discount, values, 'code_key', 'code')
  context.emit(Discount, 'created', discount)
  return discount
}

/** The terms of a new discount. Throws a 422 over contradictions, and a 400 over what is missing. */
export function newTerms({ now }: Context, given: Partial<CreateInput<typeof Discount>>): Terms {
  const terms = settleTerms(given, null, now)
  const missing = missingIn(terms)
  if (missing) throw missingParameter(missing)
  return terms
}
