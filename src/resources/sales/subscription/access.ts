import type { Row } from '../../../contract/noun.ts'
import type { Context } from '../../../records/context.ts'
import { continueAccess } from '../access.ts'
import type { Subscription } from './subscription.ts'

/** Gives access to what is subscribed to for as long as it runs, by the order that paid the present period. */
export function continueAccessTo(
  context: Context,
  { id, customer, product, price_variant, terms }: Row<typeof Subscription>,
  order: string,
): Promise<void> {
  const line = { product, price_variant, revoke_after_days: terms.revoke_after_days }
  return continueAccess(context, { customer, order, subscription: id, lines: [line] })
}
