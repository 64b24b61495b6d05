import type { Context } from '../../../records/context.ts'
import { dueJob } from '../../../records/job.ts'
import { bookCredits, isClosed, reservedEntry } from './credit_ledger.ts'

/** Returns credits whose reservation nobody has settled, as after a crash. */
export const returnLostCredits = dueJob<{ reservation: string }>('credits.return', {
  async work(context, { reservation }) {
    await returnReserved(context, reservation)
  },
})

/** Gives all credits of a reservation back. False when it was settled or returned already. */
export async function returnReserved(context: Context, id: string): Promise<boolean> {
  if (await isClosed(context, id)) return false
  const { delta, reason, reference } = await reservedEntry(context, id)
  await bookCredits(context, { kind: 'returned', delta: -delta, reason, reference, reservation: id })
  return true
}
