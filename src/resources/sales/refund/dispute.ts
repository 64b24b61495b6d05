import type { Row } from '../../../contract/declarations/noun.ts'
import type { Context } from '../../../records/context.ts'
import { insertRow, requireRow } from '../../../records/records.ts'
import { Charge } from '../charge/charge.ts'
import { Order } from '../order/order.ts'
import { setOrderStatus } from '../order/status.ts'
import { bookRefund } from './book.ts'
import { Refund } from './refund.ts'

type OrderRow = Row<typeof Order>

/** Books what became of a dispute over an order's payment. A lost one is a refund of all that was left. */
export async function bookDispute(context: Context, order: OrderRow, state: 'opened' | 'won' | 'lost'): Promise<void> {
  if (state === 'opened') return open(context, order)
  if (order.status !== 'disputed') return
  const before = (order.disputed_from ?? 'succeeded') as OrderRow['status']
  const closed = await setOrderStatus(context, order, before, { disputed_from: null })
  if (state === 'lost') await refundRest(context, closed)
}

async function open(context: Context, order: OrderRow): Promise<void> {
  if (order.status !== 'succeeded' && order.status !== 'partially_refunded') return
  context.emit(Order, 'disputed', await setOrderStatus(context, order, 'disputed', { disputed_from: order.status }))
}

/** The bank has taken the money back already, so no provider is asked. */
async function refundRest(context: Context, order: OrderRow): Promise<void> {
  const amount = order.amount - order.amount_refunded - order.amount_refunding
  if (amount <= 0) return
  const charge = await requireRow(context, Charge, order.charge!)
  await bookRefund(context, order, amount)
  const refund = await insertRow(context, Refund, {
    ...{ order: order.id, charge: charge.id, payment: charge.payment, amount, currency: order.currency },
    ...{ provider: charge.processor, reason: 'dispute_lost', status: 'succeeded', metadata: {} },
  })
  context.emit(Refund, 'created', refund)
}
