import { invalid } from '../../../contract/errors.ts'
import type { Row } from '../../../contract/noun.ts'
import type { Context } from '../../../records/context.ts'
import type { Payment } from '../payment/payment.ts'
import { providerOf } from '../payment/provider.ts'
import { agreementOf } from './agreement.ts'
import type { Checkout } from './checkout.ts'
import { type Entries, enter } from './enter.ts'
import { payCheckout, requireOpen } from './pay.ts'
import { hasAllAmounts, isEverCharged } from './price.ts'
import { reprice } from './reprice.ts'

type CheckoutRow = Row<typeof Checkout>

/** What a buyer enters to pay. */
export interface Buying extends Entries {
  /** The number of a test card, where the test provider asks for one. It is stored nowhere. */
  card?: string
  name?: string
  /** What the buyer saw and agreed to (`agreementOf`); absent where nobody looks. */
  agreed?: string
}

export interface Bought {
  checkout: CheckoutRow
  /** Null when the buyer has not agreed yet to what the cart costs now: nothing was begun. */
  payment: Row<typeof Payment> | null
}

/** Pays a checkout as its buyer. Throws as `enter` and `payCheckout` do, and a 422 over a card that is missing or unknown. */
export async function buy(context: Context, given: CheckoutRow, buying: Buying): Promise<Bought> {
  requireOpen(given)
  const { card, name, agreed, ...entries } = buying
  const entered = await enter(context, given, entries)
  const checkout = await reprice(context, entered)
  if (agreed !== undefined && agreed !== agreementOf(checkout)) return { checkout, payment: null }
  if (takesTestCard(context, checkout)) requireTestCard(context, card)
  return payCheckout(context, checkout, {
    agreedTotal: checkout.total,
    name: name ?? null,
    ...(card !== undefined && { card }),
  })
}

/** Whether the page itself asks for a card: the test provider does, others do so on their own pages. */
export function takesTestCard(context: Context, { total, lines }: Pick<CheckoutRow, 'total' | 'lines'>): boolean {
  const charges = total > 0 || isEverCharged(lines) || !hasAllAmounts(lines)
  return charges && providerOf(context).name === context.services.payments.test.name
}

function requireTestCard(context: Context, card: string | undefined): void {
  const problem = card === undefined ? "can't be blank" : context.services.payments.test.cardProblem(card)
  if (problem !== null) throw invalid({ card: [problem] })
}
