import { laterBy } from '../../../contract/values/values.ts'
import type { Context } from '../../../records/context.ts'
import { changeRow, requireRow } from '../../../records/records.ts'
import { extendCheckout } from '../checkout/close.ts'
import { whyHeld } from '../payment/connection/current.ts'
import type { PaymentRow } from '../payment/payment.ts'
import { findOpenCheckout } from './checkouts.ts'
import { priceOfNext } from './period.ts'
import { endOfUnpaid, scheduleNext } from './schedule.ts'
import { Subscription, type SubscriptionRow } from './subscription.ts'
import { taxOfNext } from './tax.ts'

/** Longer than the six hours until the next check, so that the payment link stays open until then. */
const NEXT_LOOK_MS = 24 * 60 * 60 * 1000

/** Whether the connection of the saved card cannot charge now. Dunning then pauses, because the failure is not the fault of the buyer. */
export async function isOutOfOrder(context: Context, subscription: SubscriptionRow): Promise<boolean> {
  const { provider, method, ends_at } = subscription
  if (method === null || ends_at !== null || (await whyHeld(context, provider)) === null) return false
  return priceOfNext(subscription, await taxOfNext(context, subscription)).total > 0
}

/** Suspends the charges while the connection is out of order; `nextDue` schedules the next check. */
export async function hold(context: Context, subscription: SubscriptionRow): Promise<void> {
  await context.remember(Subscription, [subscription])
  const held_since = subscription.held_since ?? context.now
  const held = await changeRow(context, Subscription, subscription, { held_since, paying: null })
  await keepLinkOpen(context, held, waitedMs(context, held_since) + NEXT_LOOK_MS)
  context.emit(Subscription, 'updated', await scheduleNext(context, held))
}

/** Suspends the charges after a payment was given up without an attempt. */
export async function holdAfter(context: Context, payment: PaymentRow): Promise<void> {
  const subscription = await requireRow(context, Subscription, payment.subscription!)
  if (subscription.paying === payment.id) await hold(context, subscription)
}

/** Resumes the charges, and postpones all dunning dates by the time that was lost. */
export async function letGo(context: Context, subscription: SubscriptionRow): Promise<SubscriptionRow> {
  const { held_since, unpaid_since } = subscription
  if (held_since === null) return subscription
  const waited = waitedMs(context, held_since)
  await keepLinkOpen(context, subscription, waited)
  const dates = unpaid_since === null ? { due_since: context.now } : { unpaid_since: laterBy(unpaid_since, waited) }
  return changeRow(context, Subscription, subscription, { held_since: null, ...dates })
}

/** Keeps the checkout behind the payment link open for as long as charges are attempted. */
async function keepLinkOpen(context: Context, { id, unpaid_since }: SubscriptionRow, longerMs: number): Promise<void> {
  if (unpaid_since === null) return
  const open = await findOpenCheckout(context, id)
  if (open) await extendCheckout(context, open, endOfUnpaid(laterBy(unpaid_since, longerMs)))
}

function waitedMs({ now }: Context, since: string): number {
  return Date.parse(now) - Date.parse(since)
}
