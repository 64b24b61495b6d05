import type { DisputeReport } from '../../../providers/payments/disputes.ts'
import type { Context } from '../../../records/context.ts'
import { insertRow, requireRow } from '../../../records/records.ts'
import { Charge } from '../charge/charge.ts'
import { Order, type OrderRow } from '../order/order.ts'
import { setOrderStatus } from '../order/status.ts'
import { bookRefund, findRefund, reverseRefund } from '../refund/book.ts'
import { Refund } from '../refund/refund.ts'
import type { DisputeRow } from './dispute.ts'
import { disputesOf, keepDispute } from './keep.ts'

/**
 * Records a provider's report on a dispute. A lost dispute becomes a refund, limited to what is left of the order, and a later decision for
 * the shop reverses this refund. An inquiry moves no money.
 */
export async function bookDispute(
  context: Context,
  disputed: { order: OrderRow; payment: string },
  told: DisputeReport,
): Promise<void> {
  const { order } = disputed
  const dispute = await keepDispute(context, disputed, told)
  if (dispute === null || told.inquiry) return
  const lost = await findRefund(context, order.id, told.reference)
  if (lost) {
    if (told.state === 'won' && lost.status === 'succeeded') await reverseRefund(context, lost, WON_LATER)
    return
  }
  if (told.state === 'opened' || told.state === 'under_review') return void (await markDisputed(context, order))
  // The report that the dispute was lost can arrive before the report that it was opened.
  const opened = told.state === 'lost' ? await markDisputed(context, order) : order
  if (opened.status !== 'disputed') return
  const closed = (await othersAreOpen(context, dispute)) ? opened : await unmarkDisputed(context, opened)
  if (told.state === 'lost') await refundRest(context, closed, dispute)
}

const WON_LATER = 'The dispute was decided for the shop in the end.'

async function markDisputed(context: Context, order: OrderRow): Promise<OrderRow> {
  if (order.status !== 'succeeded' && order.status !== 'partially_refunded') return order
  if (order.charge === null) return order
  const disputed = await setOrderStatus(context, order, 'disputed', { disputed_from: order.status })
  context.emit(Order, 'disputed', disputed)
  return disputed
}

async function unmarkDisputed(context: Context, order: OrderRow): Promise<OrderRow> {
  const before = (order.disputed_from ?? 'succeeded') as OrderRow['status']
  return setOrderStatus(context, order, before, { disputed_from: null })
}

async function othersAreOpen(context: Context, { id, order }: DisputeRow): Promise<boolean> {
  const others = (await disputesOf(context, order)).filter((one) => one.id !== id && !one.inquiry)
  return others.some(({ status }) => status === 'needs_response' || status === 'under_review')
}

/** Records the refund without a request to the provider, because the bank has taken the money back already. */
async function refundRest(context: Context, order: OrderRow, dispute: DisputeRow): Promise<void> {
  const { reference, within_limit } = dispute
  const amount = Math.min(dispute.amount, order.amount - order.amount_refunded - order.amount_refunding)
  if (amount <= 0) return
  const charge = await requireRow(context, Charge, order.charge!)
  const amount_tax = await bookRefund(context, order, amount)
  const refund = await insertRow(context, Refund, {
    ...{ order: order.id, charge: charge.id, payment: charge.payment, amount, amount_tax, currency: order.currency },
    ...{ provider: charge.processor, reason: 'dispute_lost', status: 'succeeded', metadata: {} },
    ...{ reference, within_limit },
  })
  context.emit(Refund, 'created', refund)
}
