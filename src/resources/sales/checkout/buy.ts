import type { Context } from '../../../records/context.ts'
import type { CheckoutRow } from './checkout.ts'
import { type Entries, enter } from './enter.ts'
import { type PaymentStarted, payCheckout, requireOpen } from './pay.ts'
import { reprice } from './reprice.ts'
import { sheetOf } from './sheet.ts'
import { requireTestCard, takesTestCard } from './test_card.ts'

export interface Buying extends Entries {
  /** The number of a test card, where the test provider asks for one. It is stored nowhere. */
  card?: string
  name?: string
  /** What the buyer saw and agreed to (`Sheet.agreement`); absent where nobody looks. */
  agreed?: string
}

/**
 * Pays a checkout as its buyer. Null when the buyer has not agreed yet to the order as it is now: nothing was begun. Throws as
 * `enter` and `payCheckout` do, and a 422 over a card that is missing or unknown.
 */
export async function buy(context: Context, given: CheckoutRow, buying: Buying): Promise<PaymentStarted> {
  requireOpen(given)
  const { card, name, agreed, ...entries } = buying
  const hasSeen = async (order: CheckoutRow) =>
    agreed === undefined || agreed === (await sheetOf(context, order)).agreement
  // Entries into the form of another order may mean something else in this one, such as an amount in another currency.
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
