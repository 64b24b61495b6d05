import type { Context } from '../../../records/context.ts'
import { rowsOf, updateRowsOf } from '../../../records/rows-of.ts'

/** The most that members with a limited role may refund on one order, in minor units by currency. A missing currency allows no refunds. */
export type RefundLimits = Record<string, number>

export async function refundLimits(context: Context): Promise<RefundLimits> {
  const account = rowsOf(context, 'accounts').where('id', '=', context.accountId)
  return JSON.parse((await account.select('refund_limits').executeTakeFirstOrThrow()).refund_limits)
}

export async function keepRefundLimits(context: Context, limits: RefundLimits): Promise<void> {
  const account = updateRowsOf(context, 'accounts').where('id', '=', context.accountId)
  await account.set({ refund_limits: JSON.stringify(limits) }).execute()
}
