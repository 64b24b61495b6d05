import type { Context, Enqueueable } from '../../../records/context.ts'
import { changeRow, requireRow } from '../../../records/records.ts'
import { noteForTeam } from '../../messages/email/team/notices.ts'
import type { OrderRow } from '../order/order.ts'
import type { PaymentRow } from '../payment/payment.ts'
import { closeOpenCheckout } from './checkouts.ts'
import { isPaidUp, nextPeriod } from './period.ts'
import { continueAccessTo } from './resume.ts'
import { scheduleNext } from './schedule.ts'
import { Subscription, type SubscriptionRow } from './subscription.ts'

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
