import { sql } from 'kysely'
import { isUser } from '../../../contract/declarations/caller.ts'
import { ApiError } from '../../../contract/declarations/errors.ts'
import { mayDo, rolesWith } from '../../../contract/declarations/role-rights.ts'
import { listed } from '../../../format/lists.ts'
import { formatMoney } from '../../../format/money.ts'
import type { Context } from '../../../records/context.ts'
import { takeFromCaps } from '../../../records/daily-caps.ts'
import { rowsOf } from '../../../records/rows-of.ts'
import { refundLimits } from '../../company/account/refund-limits.ts'
import type { OrderRow } from '../order/order.ts'

/**
 * Counts a refund for daily caps, and returns whether the caller's role limits refunds. Throws a 403 if this and earlier limited refunds of the order exceed the limit
 * together, so that colleagues or partial refunds cannot bypass it. Refunds run one at a time in an account, so none is missed.
 */
export async function requireWithinLimit(
  context: Context,
  { id, currency }: OrderRow,
  amount: number,
): Promise<boolean> {
  const { caller } = context
  await takeFromCaps(context, { of: 'refunds', count: amount, currency })
  if (!isUser(caller) || mayDo(caller, 'sales.refund_any')) return false
  const limit = (await refundLimits(context))[currency] ?? 0
  const spent = await spentOn(context, id)
  if (spent + amount <= limit) return true
  const who = `Ask somebody with the role ${listed(rolesWith('sales.refund_any'), 'or')}.`
  if (limit === 0)
    throw new ApiError(
      'permission_denied',
      `The role support may refund nothing in ${currency}: no limit is set. ${who}`,
    )
  const before = spent > 0 ? `, of which ${formatMoney(spent, currency)} is refunded already` : ''
  throw new ApiError(
    'permission_denied',
    `The role support may refund at most ${formatMoney(limit, currency)} on one order${before}; this refund is ${formatMoney(amount, currency)}. ${who}`,
  )
}

async function spentOn(context: Context, order: string): Promise<number> {
  const counted = rowsOf(context, 'refunds').where('order', '=', order).where('within_limit', '=', 1)
  const sum = counted.where('status', '!=', 'failed').select(sql<number>`coalesce(sum(amount), 0)`.as('sum'))
  return Number((await sum.executeTakeFirstOrThrow()).sum)
}
