import { timestampOf } from '../../../contract/values/values.ts'
import type { Context } from '../../../records/context.ts'
import { dueJob } from '../../../records/job.ts'
import { updateRowsOf } from '../../../records/rows-of.ts'
import { bookCredits } from './credit_ledger.ts'

/** Grants the credits of a month by the account's clock, and plans the next. */
export const grantLater = dueJob<Record<string, never>>('credits.grant', { work: (context) => grantMonth(context) })

/**
 * Grants the account its credits of this month, unless it has them: the first credits stand for the month in which it was
 * made. Whoever asks first in a month plans the next one, so that there is one plan however many ask.
 */
export async function grantMonth(context: Context): Promise<void> {
  const month = context.now.slice(0, 7)
  const moved = await updateRowsOf(context, 'accounts')
    .set({ credits_month: month })
    .where('id', '=', context.accountId)
    .where(({ eb, or }) => or([eb('credits_month', 'is', null), eb('credits_month', '<', month)]))
    .returning('created_at')
    .executeTakeFirst()
  if (!moved) return
  const { monthlyCredits: delta } = context.services
  if (delta > 0 && moved.created_at.slice(0, 7) < month)
    await bookCredits(context, { kind: 'granted', delta, reason: 'monthly_grant', reference: month, reservation: null })
  await context.enqueue(grantLater, {}, { runAt: nextMonth(context.now) })
}

function nextMonth(now: string): string {
  const date = new Date(now)
  return timestampOf(new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1)))
}
