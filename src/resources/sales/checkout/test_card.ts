import { invalid } from '../../../contract/declarations/errors.ts'
import type { Row } from '../../../contract/declarations/noun.ts'
import type { Context } from '../../../records/context.ts'
import { providerOf } from '../payment/provider.ts'
import type { Checkout } from './checkout.ts'
import { hasAllAmounts, isEverCharged } from './price.ts'

/** Whether the page itself asks for a card: the test provider does, others do so on their own pages. */
export function takesTestCard(
  context: Context,
  { total, lines }: Pick<Row<typeof Checkout>, 'total' | 'lines'>,
): boolean {
  const charges = total > 0 || isEverCharged(lines) || !hasAllAmounts(lines)
  return charges && providerOf(context).name === context.services.payments.test.name
}

/** Throws a 422 over a card that is missing or unknown. */
export function requireTestCard(context: Context, card: string | undefined): void {
  const problem = card === undefined ? "can't be blank" : context.services.payments.test.cardProblem(card)
  if (problem !== null) throw invalid({ card: [problem] })
}
