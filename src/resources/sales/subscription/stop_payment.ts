import type { Context } from '../../../records/context.ts'
import { changeRow } from '../../../records/records.ts'
import { giveUp } from '../payment/jobs.ts'
import { Subscription, type SubscriptionRow } from './subscription.ts'

/** Gives up the payment that is under way, if any. Money that arrives for it after all is sent back. */
export async function stopPayment(
  context: Context,
  subscription: SubscriptionRow,
  why: string,
): Promise<SubscriptionRow> {
  const { paying } = subscription
  if (paying === null) return subscription
  const free = await changeRow(context, Subscription, subscription, { paying: null })
  await giveUp(context, paying, why)
  return free
}
