import type { Context } from '../../../records/context.ts'
import { changeRow, requireRow } from '../../../records/records.ts'
import { Order } from '../order/order.ts'
import { unbookRefund } from './book.ts'
import { Refund, type RefundRow } from './refund.ts'

/** Books that a refund which had succeeded did not: its money is the shop's again, and can be refunded once more. */
export async function reverseRefund(context: Context, refund: RefundRow, failure_message: string): Promise<RefundRow> {
  await unbookRefund(context, await requireRow(context, Order, refund.order), refund)
  const failed = await changeRow(context, Refund, refund, { status: 'failed', failure_message })
  context.emit(Refund, 'failed', failed)
  return failed
}
