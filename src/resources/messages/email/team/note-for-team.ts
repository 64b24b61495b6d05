import { laterBy } from '../../../../contract/values/values.ts'
import { compileOnce } from '../../../../database/compile-once.ts'
import type { Context, Enqueueable } from '../../../../records/context.ts'
import { memoize } from '../../../../records/memoize.ts'
import { rowsOf, send } from '../../../../records/rows-of.ts'
import { anybodyMayWant } from './choices.ts'
import { type GatheredLetter, PAUSE_MS } from './letters.ts'

/** The job is enqueued by name, because its file imports resources that import this file. */
export const WRITE_TO_TEAM: Enqueueable<{ letter: GatheredLetter }> = { name: 'letter.write_to_team' }

/** Schedules a letter about an event, in the same transaction. Further events until it is written are reported in the same letter. */
export async function noteForTeam(context: Context, letter: GatheredLetter): Promise<void> {
  const [isWanted, turn] = await readTurn(context, letter)
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

/** Callers may start the reads of `noteForTeam` early. */
export function readTurn(context: Context, letter: GatheredLetter) {
  const question = { name: `turn of ${letter}`, tables: ['letter_turns'] as const }
  return Promise.all([
    anybodyMayWant(context, letter),
    memoize(context, question, async () => (await turnsOf(context.db, context.accountId, letter))[0]),
  ])
}

const turnsOf = compileOnce((db: Context['db'], accountId: string, letter: GatheredLetter) =>
  rowsOf({ db, accountId }, 'letter_turns').selectAll().where('letter', '=', letter),
)
