import { oneOf } from '../../../../contract/declarations/kinds.ts'
import { custom } from '../../../../records/custom.ts'
import { equals } from '../../../../records/filters.ts'
import { resource } from '../../../../records/resource.ts'
import { verbs } from '../../../../records/verbs.ts'
import { PLATFORM_NAMES } from '../social-platform/social-platform.ts'
import { checkAccess } from './check-access.ts'
import { connectAccount, reconnectAccount } from './connect.ts'
import { CREDENTIALS, REDIRECT_URL, USERNAME } from './credentials.ts'
import { disconnectAccount } from './disconnect.ts'
import { revokeAccess } from './revoke.ts'
import { deriveAccounts } from './show.ts'
import { SocialAccount } from './social-account.ts'
import { refreshAccount, startSync, syncAccount } from './sync.ts'
import { updateAccount } from './update.ts'

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
      emits: ['social_account.updated'],
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
      emits: ['social_account.updated'],
      rule: reconnectAccount,
    }),
    action('sync', {
      summary: 'Refresh profile, comments and figures now',
      description:
        'Fetches the latest numbers and comments from the platform, otherwise done once a day. Only while it is connected.',
      emits: ['social_account.updated'],
      rule: startSync,
    }),
  ],
})
