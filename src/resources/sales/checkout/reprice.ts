import { type FieldErrors, invalid } from '../../../contract/declarations/errors.ts'
import type { Context } from '../../../records/context.ts'
import { changeRow } from '../../../records/records.ts'
import { processorOf } from '../payment/provider.ts'
import { isSoldAlready } from './cart.ts'
import { Checkout, type CheckoutRow } from './checkout.ts'
import { stillUsable } from './discounts.ts'
import { whyNotForSale } from './for-sale.ts'
import { price, pricedFields } from './price.ts'
import { soldBy } from './sold-by.ts'

/**
 * Updates the discount of a checkout when its payment starts, and removes one that can no longer be used; lines keep their prices. Throws a
 * 422 for lines that are no longer for sale. Changes nothing if the contents are fixed (`isSoldAlready`).
 */
export async function reprice(context: Context, checkout: CheckoutRow): Promise<CheckoutRow> {
  if (isSoldAlready(checkout)) return checkout
  await requireForSale(context, checkout)
  if (checkout.discount === null) return checkout
  const discount = await stillUsable(context, checkout.discount, checkout.lines)
  return changeRow(
    context,
    Checkout,
    checkout,
    pricedFields(price(checkout.lines, discount, checkout.tax), await processorOf(context, checkout)),
  )
}

async function requireForSale(context: Context, { lines }: CheckoutRow): Promise<void> {
  const problems = await problemsOf(context, lines)
  if (Object.keys(problems).length > 0) throw invalid(problems)
}

async function problemsOf(context: Context, lines: CheckoutRow['lines']): Promise<FieldErrors> {
  const [variants, products] = await soldBy(context, lines)
  const errors: FieldErrors = {}
  for (const [index, { price_variant, product, quantity }] of lines.entries()) {
    const [variant, sold] = [variants.get(price_variant), products.get(product)]
    const problem = variant && sold ? whyNotForSale(variant, sold, quantity, context.now) : 'is no longer for sale'
    if (problem) errors[`line_items.${index}.price_variant`] = [problem]
  }
  return errors
}
