import type { Context } from '../../../records/context.ts'
import { dueJob } from '../../../records/job.ts'
import { requireRow } from '../../../records/records.ts'
import { Order } from '../order/order.ts'
import { DISPUTE_EVENTS } from '../payment/events.ts'
import { Payment, type PaymentRow } from '../payment/payment.ts'
import { bookDispute } from './book.ts'
import type { DisputeRow } from './dispute.ts'
import { disputesOf } from './keep.ts'

/** Simulates the bank of a test card: opens a dispute, and at its deadline decides for the shop only if the shop has answered. */
export const playBank = dueJob<{ payment: string }>('dispute.play_bank', {
  emits: DISPUTE_EVENTS,
  async work(context, { payment: id }) {
    const payment = await requireRow(context, Payment, id)
    const order = await requireRow(context, Order, payment.order_id)
    const disputed = { order, payment: id }
    const { reference } = payment
    if (reference === null || order.paid_at === null) return
    const told = context.services.payments.test.disputeOf({ reference, paidAt: order.paid_at })
    if (!told) return
    const known = (await disputesOf(context, order.id)).find((one) => one.reference === told.reference)
    if (!known) {
      await bookDispute(context, disputed, told)
      await context.enqueue(playBank, { payment: id }, { runAt: told.dueAt })
    } else if (isOpen(known)) {
      const state = known.status === 'under_review' ? 'won' : 'lost'
      await bookDispute(context, disputed, { ...told, state })
    }
  },
})

function isOpen({ status }: DisputeRow): boolean {
  return status === 'needs_response' || status === 'under_review'
}

/** Enqueues a simulated dispute if a payment was made with a test card that causes disputes. */
export async function disputeTestCard(
  context: Context,
  { id: payment, provider, amount, formation }: PaymentRow,
  reference: string,
): Promise<void> {
  const { payments } = context.services
  if (!payments.isImmediate(provider) || amount === 0 || formation !== null) return
  if (payments.test.disputeOf({ reference, paidAt: context.now })) await context.enqueue(playBank, { payment })
}
