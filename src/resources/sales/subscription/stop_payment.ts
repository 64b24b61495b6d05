import type { Row } from '../../../contract/declarations/noun.ts'
import type { Context } from '../../../records/context.ts'
import { changeRow } from '../../../records/records.ts'
import { giveUp } from '../payment/jobs.ts'
import { Subscription } from './subscription.ts'

/** Gives up the payment that is under way, if any. Money that arrives for it after all is sent back. */
export async function stopPayment(
  context: Context,
  subscription: Row<typeof Subscription>,
  why: string,
): Promise<Row<typeof Subscription>> {
  const { paying } = subscription
  if (paying === null) return subscription
  const free = await changeRow(context, Subscription, subscription, { paying: null })
  await giveUp(context, paying, why)
  return free
}
