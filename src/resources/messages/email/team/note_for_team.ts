import { laterBy } from '../../../../contract/values/values.ts'
import type { Context, Enqueueable } from '../../../../records/context.ts'
import { rowsOf, send } from '../../../../records/rows-of.ts'
import { anybodyMayWant } from './choices.ts'
import { type GatheredLetter, PAUSE_MS } from './letters.ts'

/** The job that writes to the team, by its name: its work looks at what this file is called by. */
export const WRITE_TO_TEAM: Enqueueable<{ letter: GatheredLetter }> = { name: 'letter.write_to_team' }

/**
 * Notes that something has happened of which the team may want to hear. The letter is planned in the same transaction, once: until
 * it is written, whatever else happens is told by the same letter.
 */
export async function noteForTeam(context: Context, letter: GatheredLetter): Promise<void> {
  const [isWanted, turn] = await Promise.all([
    anybodyMayWant(context, letter),
    rowsOf(context, 'letter_turns').selectAll().where('letter', '=', letter).executeTakeFirst(),
  ])
  if (!isWanted || (turn && turn.job !== null)) return
  const next = turn?.last_at ? laterBy(turn.last_at, PAUSE_MS[letter]) : context.now
  const job = await context.enqueue(WRITE_TO_TEAM, { letter }, next > context.now ? { runAt: next } : {})
  const planned = { job, since: context.now }
  const kept = context.db
    .insertInto('letter_turns')
    .values({ account_id: context.accountId, letter, last_at: null, ...planned })
    .onConflict((known) => known.columns(['account_id', 'letter']).doUpdateSet(planned))
  await send(context, kept)
}
