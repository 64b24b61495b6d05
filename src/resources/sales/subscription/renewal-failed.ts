import type { Context, Enqueueable } from '../../../records/context.ts'
import { changeRow, requireRow } from '../../../records/records.ts'
import { noteForTeam } from '../../messages/email/team/note-for-team.ts'
import type { PaymentRow } from '../payment/payment.ts'
import { scheduleNext } from './schedule.ts'
import { Subscription, type SubscriptionRow } from './subscription.ts'

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
