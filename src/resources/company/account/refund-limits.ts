import type { Context } from '../../../records/context.ts'
import { rowsOf, updateRowsOf } from '../../../records/rows-of.ts'

/** The maximum refund on one order by members with a limited role, in minor units by currency. No entry means no refunds. */
export type RefundLimits = Record<string, number>

export async function refundLimits(context: Context): Promise<RefundLimits> {
  const account = rowsOf(context, 'accounts').where('id', '=', context.accountId)
  return JSON.parse((await account.select('refund_limits').executeTakeFirstOrThrow()).refund_limits)
}

export async function keepRefundLimits(context: Context, limits: RefundLimits): Promise<void> {
  const account = updateRowsOf(context, 'accounts').where('id', '=', context.accountId)
  await account.set({ refund_limits: JSON.stringify(limits) }).execute()
}
