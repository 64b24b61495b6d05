import { laterBy } from '../../../contract/values/values.ts'
import { dueJob } from '../../../records/job.ts'
import { changeRow, findRow } from '../../../records/records.ts'
import { SocialAccount } from './social_account.ts'
import { syncAccount } from './sync.ts'

export const REFRESH_MS = 24 * 60 * 60 * 1000

/** Reads the figures of a connected account once a day. One that is not connected is looked at again the next day. */
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
