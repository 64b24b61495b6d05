import { laterBy } from '../../../contract/values/values.ts'
import type { Context, Enqueueable } from '../../../records/context.ts'
import { changeRow, requireRow } from '../../../records/records.ts'
import { noteForTeam } from '../../messages/email/team/notices.ts'
import { extendCheckout } from '../checkout/close.ts'
import type { OrderRow } from '../order/order.ts'
import { whyHeld } from '../payment/connection/current.ts'
import type { PaymentRow } from '../payment/payment.ts'
import { closeOpenCheckout, findOpenCheckout } from './checkouts.ts'
import { isPaidUp, nextPeriod, priceOfNext } from './period.ts'
import { continueAccessTo } from './resume.ts'
import { endOfUnpaid, scheduleNext } from './schedule.ts'
import { Subscription, type SubscriptionRow } from './subscription.ts'
import { taxOfNext } from './tax.ts'

/** Starts the paid period. The payment is always still wanted, because other actions end a payment in progress first. */
export async function periodPaid(context: Context, payment: PaymentRow, order: OrderRow): Promise<void> {
  const subscription = await requireRow(context, Subscription, payment.subscription!)
  const begun = await beginPeriod(context, subscription, methodOf(subscription, payment))
  await continueAccessTo(context, begun, order.id)
  await closeOpenCheckout(context, begun.id, payment.checkout)
  context.emit(Subscription, 'renewed', await scheduleNext(context, begun))
}

async function beginPeriod(
  context: Context,
  subscription: SubscriptionRow,
  method: Pick<SubscriptionRow, 'provider' | 'method'>,
): Promise<SubscriptionRow> {
  const period = nextPeriod(subscription, context.now)
  const payments_count = subscription.payments_count + 1
  return changeRow(context, Subscription, subscription, {
    ...period,
    ...method,
    payments_count,
    status: 'active',
    first_charged_at: subscription.first_charged_at ?? period.current_period_start,
    ends_at: isPaidUp({ terms: subscription.terms, payments_count }) ? period.current_period_end : null,
    ...{ unpaid_since: null, held_since: null, due_since: null, amount_due: null, failed_payments_count: 0 },
    ...{ last_payment_error: null, last_payment_error_code: null },
    paying: null,
  })
}

/** Later charges use the card that the buyer has just entered, or else the saved card, which may have changed meanwhile. */
function methodOf({ provider, method }: SubscriptionRow, payment: PaymentRow) {
  const isEntered = payment.checkout !== null && payment.method !== null
  return isEntered ? { provider: payment.provider, method: payment.method } : { provider, method }
}

/** Only the name of the job is declared here, because the file with its work imports this file. */
export const ASK_TO_PAY: Enqueueable<{ subscription: string; order: string }> = { name: 'subscription.ask_to_pay' }

/** Schedules the next attempt after a failed charge, and the e-mail to the buyer. */
export async function renewalFailed(context: Context, payment: PaymentRow): Promise<void> {
  const subscription = await requireRow(context, Subscription, payment.subscription!)
  // The payment was given up by an action on the subscription, so its failure changes nothing.
  if (subscription.paying !== payment.id) return
  const status = subscription.status === 'unpaid' ? 'unpaid' : 'past_due'
  const unpaid = await changeRow(context, Subscription, subscription, {
    status,
    unpaid_since: subscription.unpaid_since ?? subscription.due_since ?? subscription.current_period_end,
    paying: null,
    ...whyFailed(subscription, payment),
  })
  const scheduled = await scheduleNext(context, unpaid)
  if (status !== subscription.status) context.emit(Subscription, 'past_due', scheduled)
  if (!payment.by_hand) await noteForTeam(context, 'failed_payments')
  const asked = { subscription: subscription.id, order: payment.order_id }
  if (payment.checkout === null && !payment.by_hand) await context.enqueue(ASK_TO_PAY, asked)
}

function whyFailed({ failed_payments_count }: SubscriptionRow, payment: PaymentRow) {
  return {
    amount_due: payment.amount,
    failed_payments_count: failed_payments_count + 1,
    last_payment_error: payment.failure_message,
    last_payment_error_code: payment.failure_code,
  }
}

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
