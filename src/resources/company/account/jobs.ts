import { timestampOf } from '../../../contract/values/values.ts'
import type { Context } from '../../../records/context.ts'
import { giveBack } from '../../../records/daily-caps.ts'
import { dueJob } from '../../../records/job.ts'
import { updateRowsOf } from '../../../records/rows-of.ts'
import { bookCredits, isClosed, reservedEntry } from './credit-ledger.ts'

export const grantLater = dueJob<Record<string, never>>('credits.grant', { work: (context) => grantMonth(context) })

/** Returns reserved credits that were neither charged nor returned, for example after a crash. */
export const returnLostCredits = dueJob<{ reservation: string }>('credits.return', {
  async work(context, { reservation }) {
    await returnReserved(context, reservation)
  },
})

/** Resolves to false if the reservation was already closed. */
export async function returnReserved(context: Context, id: string): Promise<boolean> {
  if (await isClosed(context, id)) return false
  const { delta, reason, reference, counted } = await reservedEntry(context, id)
  await bookCredits(context, { kind: 'returned', delta: -delta, reason, reference, reservation: id })
  await uncount(context, counted, -delta)
  return true
}

/** Takes reserved credits that were not spent back from the daily caps for which they were counted; counts them again if negative. */
export async function uncount(context: Context, counted: string | null, credits: number): Promise<void> {
  if (counted !== null) await giveBack(context, { of: 'credits', count: credits }, JSON.parse(counted))
}

/** Grants this month's credits and schedules the next grant, once: of concurrent calls, only the first advances `credits_month`. */
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
  // The opening credits cover the month in which the account was created.
  if (delta > 0 && moved.created_at.slice(0, 7) < month)
    await bookCredits(context, { kind: 'granted', delta, reason: 'monthly_grant', reference: month, reservation: null })
  await context.enqueue(grantLater, {}, { runAt: nextMonth(context.now) })
}

function nextMonth(now: string): string {
  const date = new Date(now)
  return timestampOf(new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1)))
}
