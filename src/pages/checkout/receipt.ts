import type { BuyerCaller } from '../../contract/declarations/caller.ts'
import { missingResource } from '../../contract/declarations/errors.ts'
import { findRow, requireRow } from '../../records/records.ts'
import { Checkout } from '../../resources/sales/checkout/checkout.ts'
import { Order } from '../../resources/sales/order/order.ts'
import { hasReceipt, receiptOf } from '../../resources/sales/order/paper.ts'
import { paperAnswer } from '../papers/answer.ts'
import type { PageParts } from '../parts/parts.ts'
import { slowDown } from '../parts/refusals.ts'

/** Each takes some hundredths of a second to draw. */
const OF_CHECKOUT = { name: 'receipts of a checkout', perMinute: 10, burst: 10 }

/** The receipt of a checkout that is paid, for whoever has its secret. Throws `resource_missing` for others. */
export async function receiptFile(parts: PageParts, caller: BuyerCaller): Promise<Response> {
  const wait = await parts.takeTurn(caller.checkoutId, OF_CHECKOUT)
  if (wait > 0) return slowDown('This receipt was opened very often.', wait)
  const paper = await parts.pipeline.visits.look(caller, async (context) => {
    const { order: id, status } = await requireRow(context, Checkout, caller.checkoutId)
    const order = id === null || status !== 'complete' ? undefined : await findRow(context, Order, id)
    if (!order || !hasReceipt(order)) throw missingResource(Order.name)
    return receiptOf(context, order)
  })
  return paperAnswer(paper)
}
