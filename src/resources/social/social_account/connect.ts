import type { Credentials } from '../../../outside/social/provider.ts'
import type { Context } from '../../../records/context.ts'
import { insertRow } from '../../../records/records.ts'
import { currentAccount } from '../../company/account/current.ts'
import type { PlatformName } from '../social_platform/social_platform.ts'
import { checkAccess } from './check_access.ts'
import { sealed } from './credentials.ts'
import { requireSetUp } from './platform_set_up.ts'
import { SocialAccount, type SocialAccountRow } from './social_account.ts'
import { plainUsername, requireFreeUsername, usernameKey } from './username.ts'

interface Input {
  platform: PlatformName
  username?: string | null
  redirect_url?: string | null
  credentials?: Credentials | null
}

/** Notes an account that is to be connected: by a person at its connect_url, or now by credentials. */
export async function connectAccount(context: Context, input: Input): Promise<SocialAccountRow> {
  const { platform, redirect_url = null, credentials } = input
  const provider = requireSetUp(context, platform)
  const username = input.username ? plainUsername(input.username) : null
  if (username !== null) await requireFreeUsername(context, platform, username)
  const account = await insertRow(context, SocialAccount, {
    ...{ platform, username, redirect_url, status: 'pending', metadata: {} },
    username_key: username === null ? null : usernameKey(username),
    provider: provider.name,
    default_timezone: (await currentAccount(context)).timezone,
    connecting: !credentials,
    offered_credentials: credentials ? sealed(context.services.vault, credentials) : null,
  })
  if (credentials) await context.enqueue(checkAccess, { account: account.id }, { awaited: true })
  context.emit(SocialAccount, 'created', account)
  return account
}
