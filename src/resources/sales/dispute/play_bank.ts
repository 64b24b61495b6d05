import { dueJob } from '../../../records/job.ts'
import { requireRow } from '../../../records/records.ts'
import { Order } from '../order/order.ts'
import { Payment } from '../payment/payment.ts'
import { bookDispute } from './book.ts'
import type { DisputeRow } from './dispute.ts'
import { DISPUTE_EVENTS } from './events.ts'
import { disputesOf } from './keep.ts'
import { PLAY_BANK } from './test_card.ts'

/**
 * Plays the bank of a test card: opens its dispute, and decides it when the time to answer is over by the account's clock. Without an
 * answer it is lost, and with one that the bank is still reading it is won.
 */
export const playBank = dueJob<{ payment: string }>(PLAY_BANK.name, {
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
      await context.enqueue(PLAY_BANK, { payment: id }, { runAt: told.dueAt })
    } else if (isOpen(known)) {
      const state = known.status === 'under_review' ? 'won' : 'lost'
      await bookDispute(context, disputed, { ...told, state })
    }
  },
})

function isOpen({ status }: DisputeRow): boolean {
  return status === 'needs_response' || status === 'under_review'
}
