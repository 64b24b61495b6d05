import { ApiError } from '../../../contract/declarations/errors.ts'
import type { Context } from '../../../records/context.ts'
import { requireRow } from '../../../records/records.ts'
import { chargeNextPeriod } from './charge.ts'
import { isOutOfOrder } from './hold.ts'
import { requirePayablePeriod } from './schedule.ts'
import { Subscription, type SubscriptionRow } from './subscription.ts'

/**
 * The maximum number of attempts for one period, including scheduled ones. Banks take a card that is tried more often within a month for
 * stolen, and then decline other payments of the shop as well.
 */
const MOST_TRIES = 12

/** Charges the unpaid period now; scheduled attempts continue if this one fails. Throws a 400 if the period cannot be charged. */
export async function chargeNow(context: Context, id: string): Promise<SubscriptionRow> {
  await requirePayablePeriod(context, id)
  const subscription = await requireRow(context, Subscription, id)
  requireTry(subscription)
  await requireInOrder(context, subscription)
  await context.remember(Subscription, [subscription])
  if (subscription.due_job !== null) await context.cancel(subscription.due_job)
  await chargeNextPeriod(context, subscription, { byHand: true })
  return requireRow(context, Subscription, id)
}

async function requireInOrder(context: Context, subscription: SubscriptionRow): Promise<void> {
  if (await isOutOfOrder(context, subscription))
    throw new ApiError(
      'invalid_state',
      'The connection to the payment provider that has the card is out of order. Repair it under Settings, Payments; the charge then goes on by itself.',
    )
}

function requireTry({ method, failed_payments_count: tries }: SubscriptionRow): void {
  if (method === null)
    throw new ApiError('invalid_state', 'No card is saved for this subscription. Send the buyer the payment link.')
  if (tries >= MOST_TRIES)
    throw new ApiError(
      'invalid_state',
      `This period was tried ${tries} times, and banks take more tries for fraud. Send the buyer the payment link.`,
    )
}
