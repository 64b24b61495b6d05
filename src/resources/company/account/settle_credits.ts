import type { Context } from '../../../records/context.ts'
import { rowsOf } from '../../../records/rows-of.ts'
import { bookCredits, isClosed, reservedEntry } from './credit_ledger.ts'
import type { Reservation } from './reserve_credits.ts'
import { returnReserved } from './return_credits.ts'

/**
 * Spends credits of a reservation once the work is done, all of them unless `used` says fewer, and returns the others. When the
 * work took so long that all were returned already, as many are spent as the balance has.
 */
export async function settleCredits(context: Context, { id, jobId }: Reservation, used?: number): Promise<void> {
  const { delta, reason, reference } = await reservedEntry(context, id)
  const spent = used ?? -delta
  if (spent < 0 || spent > -delta) throw new Error(`${spent} credits cannot be spent of ${-delta} that were reserved`)
  await context.cancel(jobId)
  const about = { reason, reference }
  if (!(await isClosed(context, id))) {
    await bookCredits(context, { ...about, kind: 'settled', delta: -delta - spent, reservation: id })
    return
  }
  const affordable = Math.min(spent, await balanceOf(context))
  if (affordable > 0) await bookCredits(context, { ...about, kind: 'charged', delta: -affordable, reservation: null })
}

/** Gives all credits of a reservation back, because the work failed. */
export async function returnCredits(context: Context, { id, jobId }: Reservation): Promise<void> {
  await context.cancel(jobId)
  await returnReserved(context, id)
}

async function balanceOf(context: Context): Promise<number> {
  const account = rowsOf(context, 'accounts').select('credit_balance').where('id', '=', context.accountId)
  return (await account.executeTakeFirstOrThrow()).credit_balance
}
