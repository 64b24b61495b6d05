import { oneOf } from '../../../../contract/declarations/kinds.ts'
import type { Changes } from '../../../../contract/declarations/noun.ts'
import { mayAct } from '../../../../contract/declarations/rights.ts'
import { INTERACTIONS } from '../../../../contract/values/post-audiences.ts'
import { decode } from '../../../../records/columns.ts'
import type { Context } from '../../../../records/context.ts'
import { custom } from '../../../../records/custom.ts'
import { equals } from '../../../../records/filters.ts'
import { changeRow, deleteRow } from '../../../../records/records.ts'
import { type Derived, resource } from '../../../../records/resource.ts'
import { deleteRowsOf, rowsOf } from '../../../../records/rows-of.ts'
import { verbs } from '../../../../records/verbs.ts'
import { secretOf } from '../../../../resources/sales/secret.ts'
import { forgetComments } from '../social-comment/write.ts'
import { ACCOUNT_GONE, SocialDelivery } from '../social-delivery/social-delivery.ts'
import { PLATFORM_NAMES } from '../social-platform/social-platform.ts'
import { limitsOf } from '../social-post/media-limits.ts'
import { endAccess, revokeAccess } from './access.ts'
import { checkAccess } from './check-access.ts'
import { connectAccount, reconnectAccount } from './connect.ts'
import { CREDENTIALS, REDIRECT_URL, USERNAME } from './credentials.ts'
import { refreshAccount, startSync, syncAccount } from './snapshot.ts'
import { SocialAccount, type SocialAccountRow } from './social-account.ts'

/** Deletes an account with its comments and figures, and revokes its access. Published posts remain on the platform. */
async function disconnectAccount(context: Context, account: SocialAccountRow): Promise<void> {
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
    const delivery = decode(SocialDelivery, raw)
    await changeRow(context, SocialDelivery, delivery, { status: 'failed', error_message: ACCOUNT_GONE })
  }
}

async function updateAccount(
  context: Context,
  account: SocialAccountRow,
  changes: Changes<typeof SocialAccount>,
): Promise<SocialAccountRow> {
  return context.emit(SocialAccount, 'updated', await changeRow(context, SocialAccount, account, changes))
}

function deriveAccounts(rows: SocialAccountRow[], context: Context): Derived[] {
  const { social } = context.services
  return rows.map((row) => ({
    connect_url: row.connecting && mayAct(context.caller, 'content.write') ? connectUrl(context, row) : null,
    sandbox: social.named(row.provider).simulation !== null,
    post_options: optionsOf(row),
  }))
}

function optionsOf(account: SocialAccountRow) {
  const { audiences, switchedOff } = limitsOf(account)
  if (!audiences) return null
  const interactions = INTERACTIONS.map((one) => [one, !switchedOff.includes(one)])
  return { privacy_level: audiences, ...Object.fromEntries(interactions) }
}

function connectUrl(context: Context, { id }: SocialAccountRow): string {
  return `${context.publicUrl}/social/connect/${secretOf(context, SocialAccount, id)}`
}

const { list, retrieve, update, remove, action } = verbs(SocialAccount)

export const socialAccounts = resource(SocialAccount, {
  derive: deriveAccounts,
  jobs: [checkAccess, syncAccount, refreshAccount, revokeAccess],
  operations: [
    list({
      summary: 'List connected social accounts',
      description: 'Includes pending and expired accounts.',
      filters: {
        platform: equals(SocialAccount, 'platform', 'Only accounts on this platform'),
        status: equals(SocialAccount, 'status', 'Only accounts in this status'),
      },
    }),
    custom({
      id: 'connect_social_account',
      method: 'POST',
      path: '/social_accounts',
      summary: 'Start connecting a social account',
      description:
        'Links a profile on a social network to the shop. A person opens connect_url, logs in there and allows access; with valid credentials it is connected at once, and with wrong ones its status is error. Each platform account can be connected once.',
      answers: SocialAccount,
      status: 201,
      emits: ['social_account.created'],
      body: {
        platform: oneOf(PLATFORM_NAMES, 'Social network').required(),
        username: USERNAME,
        redirect_url: REDIRECT_URL,
        credentials: CREDENTIALS,
      },
      example: { platform: 'instagram', redirect_url: 'https://shop.example/settings/social' },
      rule: (context, { input }) => connectAccount(context, input),
    }),
    retrieve({ summary: 'Show one social account' }),
    update({
      summary: 'Change label or posting defaults',
      description: 'Sets its label or the time zone of new posts.',
      rule: updateAccount,
    }),
    remove({
      id: 'disconnect_social_account',
      summary: 'Disconnect a social account',
      description:
        'Unlinks it, in any status, removes its comments and figures here, and withdraws the access at the platform where that is possible. Published posts stay on the platform. Scheduled posts fail for this account but are published on their other accounts.',
      emits: ['social_account.disconnected'],
      rule: disconnectAccount,
    }),
    action('reconnect', {
      summary: 'Renew the authorization of an account',
      description:
        'Logs in again when access has expired or failed: at connect_url, or at once with credentials. A connected account stays connected meanwhile.',
      body: { redirect_url: REDIRECT_URL, credentials: CREDENTIALS },
      example: { redirect_url: 'https://shop.example/settings/social' },
      rule: reconnectAccount,
    }),
    action('sync', {
      summary: 'Refresh profile, comments and figures now',
      description:
        'Fetches the latest numbers and comments from the platform, otherwise done once a day. Only while it is connected.',
      rule: startSync,
    }),
  ],
})
