import { laterBy } from '../../../../contract/values/values.ts'
import type { Context } from '../../../../records/context.ts'
import { dueJob, type JobContext, job } from '../../../../records/job.ts'
import { changeRow, findRow } from '../../../../records/records.ts'
import { fullSentence } from '../../../../records/room.ts'
import type { Snapshot } from '../../providers/provider.ts'
import { ask, MOST_ATTEMPTS, type Outcome, unanswered } from '../asking.ts'
import { currentLogin, expireAccount } from './current-login.ts'
import { bookSnapshot, type Reading, readingOf, requestOf } from './snapshot.ts'
import { SocialAccount, type SocialAccountRow } from './social-account.ts'

export const REFRESH_MS = 24 * 60 * 60 * 1000

/** Reads the figures of an account once a day, except on days on which the account is not connected. */
export const refreshAccount = dueJob<{ account: string }>('social_account.refresh', {
  async work(context, { account: id }) {
    const account = await findRow(context, SocialAccount, id)
    if (!account) return
    if (account.status === 'connected') await context.enqueue(syncAccount, { account: id })
    const refresh_job = await context.enqueue(
      refreshAccount,
      { account: id },
      { runAt: laterBy(context.now, REFRESH_MS) },
    )
    await changeRow(context, SocialAccount, account, { refresh_job })
  },
})

/** Reads the profile, comments and figures of an account in a job after the commit. The response waits for the job. */
export async function startSync(context: Context, account: SocialAccountRow): Promise<SocialAccountRow> {
  await context.enqueue(syncAccount, { account: account.id }, { awaited: true })
  return account
}

export const syncAccount = job<{ account: string }>('social_account.sync', {
  emits: ['social_account.updated', 'social_account.expired', 'social_comment.created', 'social_comment.updated'],
  attempts: MOST_ATTEMPTS,
  async work(job, { account: id }) {
    const reading = await job.transaction(async (context) => {
      const account = await findRow(context, SocialAccount, id)
      return account?.status === 'connected' ? readingOf(context, account) : null
    })
    if (!reading) return
    const { storage } = job.services
    const outcome = (await storage.hasRoom(job.accountId, 'outsider'))
      ? await ask(job, id, () => snapshotOf(job, reading))
      : unanswered(fullSentence(storage, 'outsider'))
    await job.finish((context) => settle(context, id, reading, outcome))
  },
})

async function snapshotOf(job: JobContext, reading: Reading): Promise<Snapshot> {
  const provider = job.services.social.named(reading.provider)
  const login = await currentLogin(job, reading.login, provider)
  return provider.sync({ ...requestOf({ ...reading, login }), signal: job.signal })
}

async function settle(context: Context, id: string, reading: Reading, outcome: Outcome<Snapshot>): Promise<void> {
  const account = await findRow(context, SocialAccount, id)
  if (account?.status !== 'connected') return
  await context.remember(SocialAccount, [account])
  if ('answer' in outcome) {
    context.emit(SocialAccount, 'updated', await bookSnapshot(context, account, reading, outcome.answer))
    return
  }
  if (outcome.expired) return expireAccount(context, account, outcome.refused)
  const noted = await changeRow(context, SocialAccount, account, { error_message: outcome.refused })
  context.emit(SocialAccount, 'updated', noted)
}
