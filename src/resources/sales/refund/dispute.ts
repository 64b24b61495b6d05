import type { Row } from '../../../contract/declarations/noun.ts'
import type { DisputeNotice } from '../../../outside/payments/provider.ts'
import type { Context } from '../../../records/context.ts'
import { insertRow, requireRow } from '../../../records/records.ts'
import { Charge } from '../charge/charge.ts'
import { Order } from '../order/order.ts'
import { setOrderStatus } from '../order/status.ts'
import { bookRefund } from './book.ts'
import { findRefund } from './find.ts'
import { Refund } from './refund.ts'
import { reverseRefund } from './reverse.ts'

type OrderRow = Row<typeof Order>

type Told = Pick<DisputeNotice, 'state' | 'reference' | 'amount'>

/**
 * Books what became of a dispute over an order's payment. A lost one is a refund of what was disputed, at most of what was left;
 * it is the shop's money again where the bank decides otherwise later.
 */
export async function bookDispute(context: Context, order: OrderRow, told: Told): Promise<void> {
  const { state, reference } = told
  const lost = await findRefund(context, order.id, reference)
  if (lost) {
    if (state === 'won' && lost.status === 'succeeded') await reverseRefund(context, lost, WON_LATER)
    return
  }
  if (state === 'opened') return void (await open(context, order))
  // The news that it was opened may come after the news that it was lost.
  const disputed = state === 'lost' ? await open(context, order) : order
  if (disputed.status !== 'disputed') return
  const before = (disputed.disputed_from ?? 'succeeded') as OrderRow['status']
  const closed = await setOrderStatus(context, disputed, before, { disputed_from: null })
  if (state === 'lost') await refundRest(context, closed, told)
}

const WON_LATER = 'The dispute was decided for the shop in the end.'

async function open(context: Context, order: OrderRow): Promise<OrderRow> {
  if (order.status !== 'succeeded' && order.status !== 'partially_refunded') return order
  if (order.charge === null) return order
  const disputed = await setOrderStatus(context, order, 'disputed', { disputed_from: order.status })
  context.emit(Order, 'disputed', disputed)
  return disputed
}

/** The bank has taken the money back already, so no provider is asked. */
async function refundRest(context: Context, order: OrderRow, told: Told): Promise<void> {
  const left = order.amount - order.amount_refunded - order.amount_refunding
  const amount = Math.min(told.amount ?? left, left)
  if (amount <= 0) return
  const charge = await requireRow(context, Charge, order.charge!)
  const amount_tax = await bookRefund(context, order, amount)
  const refund = await insertRow(context, Refund, {
    ...{ order: order.id, charge: charge.id, payment: charge.payment, amount, amount_tax, currency: order.currency },
    ...{ provider: charge.processor, reason: 'dispute_lost', status: 'succeeded', metadata: {} },
    reference: told.reference,
  })
  context.emit(Refund, 'created', refund)
}
