import type { Context } from '../../../../records/context.ts'
import { dueJob } from '../../../../records/job.ts'
import { rowsOf, updateRowsOf } from '../../../../records/rows-of.ts'
import { currentAccount } from '../../../company/account/current.ts'
import { queueTeamNotice } from '../service-mail.ts'
import { readersOf } from './choices.ts'
import { gather, MOST_COUNTED } from './gather.ts'
import type { GatheredLetter } from './letters.ts'
import { WRITE_TO_TEAM } from './note-for-team.ts'
import { stopUrl } from './stop.ts'

/** Reports everything since the letter was scheduled; the next event schedules another one. */
export const writeToTeam = dueJob<{ letter: GatheredLetter }>(WRITE_TO_TEAM.name, {
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
