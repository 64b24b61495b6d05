import { decode } from '../../../../records/columns.ts'
import type { Context } from '../../../../records/context.ts'
import { changeRow, deleteRow } from '../../../../records/records.ts'
import { deleteRowsOf, rowsOf } from '../../../../records/rows-of.ts'
import { forgetComments } from '../social-comment/remove.ts'
import { ACCOUNT_GONE, SocialDelivery, type SocialDeliveryRow } from '../social-delivery/social-delivery.ts'
import { endAccess } from './revoke.ts'
import { SocialAccount, type SocialAccountRow } from './social-account.ts'

/** Deletes an account with its comments and figures, and revokes its access. Published posts remain on the platform. */
export async function disconnectAccount(context: Context, account: SocialAccountRow): Promise<void> {
  if (account.refresh_job !== null) await context.cancel(account.refresh_job)
  await failPlannedTargets(context, account.id)
  await forgetComments(context, account.id)
  await endAccess(context, account)
  for (const table of ['social_figures', 'sandbox_posts', 'social_authorizations'] as const)
    await deleteRowsOf(context, table).where('social_account', '=', account.id).execute()
  await deleteRow(context, SocialAccount, account)
  const disconnected = { ...account, status: 'disconnected', connecting: false }
  context.emit(SocialAccount, 'disconnected', disconnected)
}

/** Fails the account's targets in scheduled posts. Targets of posts being published fail in their own jobs, which also end the posts. */
async function failPlannedTargets(context: Context, account: string): Promise<void> {
  const planned = rowsOf(context, 'social_posts').select('id').where('status', '=', 'scheduled')
  const waiting = await rowsOf(context, 'social_deliveries')
    .selectAll()
    .where('social_account', '=', account)
    .where('status', '=', 'pending')
    .where('social_post', 'in', planned)
    .execute()
  for (const raw of waiting) {
    const delivery = decode<SocialDeliveryRow>(SocialDelivery, raw)
    await changeRow(context, SocialDelivery, delivery, { status: 'failed', error_message: ACCOUNT_GONE })
  }
}
