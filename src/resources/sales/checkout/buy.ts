import type { Context } from '../../../records/context.ts'
import type { CheckoutRow } from './checkout.ts'
import { type PaymentStarted, payCheckout, reprice, requireOpen } from './pay.ts'
import { sheetOf } from './sheet.ts'
import { requireTestCard, takesTestCard } from './test-card.ts'
import { type Entries, enter } from './update.ts'

export interface Buying extends Entries {
  /** The number of a test card, if the checkout requires one; it is never stored. */
  card?: string
  name?: string
  /** Hash of the order that the buyer saw and agreed to (`Sheet.agreement`); absent if the order was not shown to a person. */
  agreed?: string
}

/** Pays as the buyer. Returns null, without a payment, if the buyer agreed to another order. Throws a 422 for an invalid card. */
export async function buy(context: Context, given: CheckoutRow, buying: Buying): Promise<PaymentStarted> {
  requireOpen(given)
  const { card, name, agreed, ...entries } = buying
  const hasSeen = async (order: CheckoutRow) =>
    agreed === undefined || agreed === (await sheetOf(context, order)).agreement
  // If the order has changed, the entries could mean something else, such as an amount in another currency.
  if (!(await hasSeen(given))) return null
  const checkout = await reprice(context, await enter(context, given, entries))
  if (checkout !== given && !(await hasSeen(checkout))) return null
  if (await takesTestCard(context, checkout)) requireTestCard(context, card)
  return payCheckout(context, checkout, {
    agreedTotal: checkout.total,
    name: name ?? null,
    ...(card !== undefined && { card }),
  })
}
