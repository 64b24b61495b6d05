import { missingParameter } from '../../../contract/errors.ts'
import type { CreateInput, Row } from '../../../contract/noun.ts'
import type { Context } from '../../../records/context.ts'
import { insertRow } from '../../../records/records.ts'
import { codeKey, requireFreeCode } from './code.ts'
import { Discount } from './discount.ts'
import { requireTargets } from './targets.ts'
import { missingIn, settleTerms } from './terms.ts'

export async function createDiscount(
  context: Context,
  input: CreateInput<typeof Discount>,
): Promise<Row<typeof Discount>> {
  const terms = settleTerms(input, null, context.now)
  const missing = missingIn(terms)
  if (missing) throw missingParameter(missing)
  await requireFreeCode(context, input.code)
  const targets = await requireTargets(context, input)
  const discount = await insertRow(context, Discount, { ...input, ...terms, ...targets, code_key: codeKey(input.code) })
  context.emit(Discount, 'created', discount)
  return discount
}
