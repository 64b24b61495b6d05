import { invalid, missingParameter } from '../../../contract/errors.ts'
import { newId } from '../../../contract/ids.ts'
import type { CreateInput, Row } from '../../../contract/noun.ts'
import { laterBy } from '../../../contract/values.ts'
import type { Context } from '../../../records/context.ts'
import { insertRow } from '../../../records/records.ts'
import { providerOf } from '../payment/provider.ts'
import { requireBuyer } from './buyer.ts'
import { Checkout } from './checkout.ts'
import { completeIfFree } from './complete_if_free.ts'
import { requireDiscount } from './discounts.ts'
import { expireCheckout } from './expire.ts'
import { linesOf } from './lines.ts'
import { checkoutOfInvoice } from './of_invoice.ts'
import type { Opening } from './opening.ts'
import { price, pricedFields } from './price.ts'

type CheckoutRow = Row<typeof Checkout>

/** A checkout stays open for so long (contract 4.2). */
export const OPEN_MS = 24 * 60 * 60 * 1000

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

/** Stores a checkout, and completes it at once when there is nothing to pay (contract 4.2). */
export async function openCheckout(
  context: Context,
  { priced, email, customer, values }: Opening,
): Promise<CheckoutRow> {
  const id = newId('co')
  const expires_at = laterBy(context.now, OPEN_MS)
  const checkout = await insertRow(context, Checkout, {
    line_items: [],
    ...values,
    id,
    ...pricedFields(priced, providerOf(context).processor),
    email,
    customer,
    status: 'open',
    expires_at,
    expire_job: await context.enqueue(expireCheckout, { checkout: id }, { runAt: expires_at }),
  })
  context.emit(Checkout, 'created', checkout)
  return completeIfFree(context, checkout)
}
