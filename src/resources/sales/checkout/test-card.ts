import { invalid } from '../../../contract/declarations/errors.ts'
import type { Context } from '../../../records/context.ts'
import { takesTestCards } from '../payment/provider.ts'
import type { CheckoutRow } from './checkout.ts'
import { hasAllAmounts, isEverCharged } from './price.ts'

/** Whether the checkout page itself asks for a card, which must be a test card; other providers ask on their own pages. */
export async function takesTestCard(context: Context, checkout: ChargedCheckout): Promise<boolean> {
  return isCharged(checkout) && (await takesTestCards(context, checkout))
}

type ChargedCheckout = Pick<CheckoutRow, 'total' | 'lines' | 'formation'>

/** Whether a payment method is needed, because the buyer is charged now or may be charged later. */
export function isCharged({ total, lines }: Pick<ChargedCheckout, 'total' | 'lines'>): boolean {
  return total > 0 || isEverCharged(lines) || !hasAllAmounts(lines)
}

/** Throws a 422 for a missing or unknown test card. */
export function requireTestCard(context: Context, card: string | undefined): void {
  const problem = card === undefined ? "can't be blank" : context.services.payments.test.cardProblem(card)
  if (problem !== null) throw invalid({ card: [problem] })
}
