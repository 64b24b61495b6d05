import { laterBy } from '../../../../contract/values/values.ts'
import { compileOnce } from '../../../../database/compile-once.ts'
import type { Context } from '../../../../records/context.ts'
import { dueJob } from '../../../../records/job.ts'
import { memoize } from '../../../../records/memoize.ts'
import { rowsOf, send, updateRowsOf } from '../../../../records/rows-of.ts'
import { currentAccount } from '../../../company/account/current.ts'
import { queueTeamNotice } from '../service-mail.ts'
import { gather, MOST_COUNTED } from './gathered-events.ts'
import { anybodyMayWant, readersOf, stopUrl } from './letter-choices.ts'
import { type GatheredLetter, PAUSE_MS } from './letters.ts'

/** Reports everything since the letter was scheduled; the next event schedules another one. */
export const writeToTeam = dueJob<{ letter: GatheredLetter }>('letter.write_to_team', {
  emits: ['email.created'],
  async work(context, { letter }) {
    const turn = await rowsOf(context, 'letter_turns').selectAll().where('letter', '=', letter).executeTakeFirst()
    if (!turn || turn.job === null) return
    const ended = { job: null, last_at: context.now }
    await updateRowsOf(context, 'letter_turns').set(ended).where('letter', '=', letter).execute()
    await write(context, letter, turn.since)
  },
})

const PAGES: Record<GatheredLetter, string> = {
  sales: '/orders',
  failed_payments: '/recover',
  disputes: '/disputes?status=needs_response',
  refunds: '/orders?status=refunded&status=partially_refunded',
}

async function write(context: Context, letter: GatheredLetter, since: string): Promise<void> {
  const readers = await readersOf(context, letter)
  if (readers.length === 0) return
  const found = await gather(context, letter, since)
  if (found.count === 0) return
  const { subdomain } = await currentAccount(context)
  const url = `${context.publicUrl}/dashboard/${subdomain}${PAGES[letter]}`
  const data = { letter, ...found, most: MOST_COUNTED, url }
  for (const { id: userId, email: to } of readers) {
    const stop = stopUrl(context, { accountId: context.accountId, userId, letter })
    await queueTeamNotice(context, { to, customer: null, stopUrl: stop }, data)
  }
}

/** Schedules a letter about an event in the same transaction. Events until it is written are reported in the same letter. */
export async function noteForTeam(context: Context, letter: GatheredLetter): Promise<void> {
  const [isWanted, turn] = await readTurn(context, letter)
  if (!isWanted || (turn && turn.job !== null)) return
  const next = turn?.last_at ? laterBy(turn.last_at, PAUSE_MS[letter]) : context.now
  const job = await context.enqueue(writeToTeam, { letter }, next > context.now ? { runAt: next } : {})
  const planned = { job, since: context.now }
  const kept = context.db
    .insertInto('letter_turns')
    .values({ account_id: context.accountId, letter, last_at: null, ...planned })
    .onConflict((known) => known.columns(['account_id', 'letter']).doUpdateSet(planned))
  await send(context, kept)
}

/** Reads what `noteForTeam` needs. Callers may call it earlier, because the results are cached. */
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
