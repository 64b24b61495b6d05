import { invalid, missingParameter } from '../../../contract/errors.ts'
import type { CreateInput, Row } from '../../../contract/noun.ts'
import type { Context } from '../../../records/context.ts'
import { requireBuyer } from './buyer.ts'
import type { Checkout } from './checkout.ts'
import { requireDiscount } from './discounts.ts'
import { linesOf } from './lines.ts'
import { checkoutOfInvoice } from './of_invoice.ts'
import { openCheckout } from './open.ts'
import { price } from './price.ts'

type CheckoutRow = Row<typeof Checkout>

export async function createCheckout(context: Context, input: CreateInput<typeof Checkout>): Promise<CheckoutRow> {
  const { line_items, invoice, discount_code, ...values } = input
  if (line_items && invoice) throw invalid({ invoice: ['cannot be given together with line_items'] })
  if (invoice) return openCheckout(context, await checkoutOfInvoice(context, invoice, input))
  if (!line_items) throw missingParameter('line_items')
  const buyer = await requireBuyer(context, values)
  const lines = await linesOf(context, line_items)
  const discount = discount_code ? await requireDiscount(context, discount_code, lines) : null
  return openCheckout(context, { ...buyer, priced: price(lines, discount), values: { ...values, line_items } })
}
