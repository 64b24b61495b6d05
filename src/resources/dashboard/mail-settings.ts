import { sql } from 'kysely'
import type { Context } from '../../records/context.ts'
import { dashboardRead } from '../../records/dashboard-read.ts'
import { rowsOf } from '../../records/rows-of.ts'

const OF_TEST_ACCOUNTS = 'This is a test account: its e-mails stay in the outbox and are not sent.'

/** Shows how the account's e-mails are sent, and the results of the last 30 days, which is how long e-mails are kept. */
export const mailSettings = dashboardRead('settings.read', async (context) => {
  const { mail } = context.services
  const account = rowsOf(context, 'accounts').select('support_email').where('id', '=', context.accountId)
  const { support_email } = await account.executeTakeFirstOrThrow()
  const { sends, reason } = mail.providerFor({ test: context.test })
  return {
    from: mail.from,
    reply_to: support_email,
    carrier: sends ? ('server' as const) : ('outbox' as const),
    reason: context.test ? OF_TEST_ACCOUNTS : reason,
    ...(await counts(context)),
  }
})

async function counts(context: Context): Promise<Record<'sent' | 'queued' | 'failed', number>> {
  const rows = await rowsOf(context, 'emails')
    .select(['status', sql<number>`count(*)`.as('count')])
    .groupBy('status')
    .execute()
  const by = new Map(rows.map(({ status, count }) => [status, count]))
  return { sent: by.get('sent') ?? 0, queued: by.get('queued') ?? 0, failed: by.get('failed') ?? 0 }
}
