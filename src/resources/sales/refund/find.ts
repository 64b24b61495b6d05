import { decode } from '../../../records/columns.ts'
import type { Context } from '../../../records/context.ts'
import { rowsOf } from '../../../records/rows-of.ts'
import { Refund, type RefundRow } from './refund.ts'

/** The refund of an order that a provider knows by an id of its own: of the refund, or of the dispute that it is of. */
export async function findRefund(context: Context, order: string, reference: string): Promise<RefundRow | undefined> {
  const raw = await rowsOf(context, 'refunds')
    .selectAll()
    .where('order', '=', order)
    .where('reference', '=', reference)
    .executeTakeFirst()
  return raw && decode<RefundRow>(Refund, raw)
}
