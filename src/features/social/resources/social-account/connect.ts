import { invalid } from '../../../../contract/declarations/errors.ts'
import { listed } from '../../../../format/lists.ts'
import type { Context } from '../../../../records/context.ts'
import { changeRow, insertRow } from '../../../../records/records.ts'
import { currentAccount } from '../../../../resources/company/account/current.ts'
import { type Credentials, callbackPath, type SocialProvider } from '../../providers/provider.ts'
import type { PlatformName } from '../social-platform/social-platform.ts'
import { checkAccess } from './check-access.ts'
import { plainUsername, requireFreeUsername, sealed, usernameKey } from './credentials.ts'
import { SocialAccount, type SocialAccountRow } from './social-account.ts'

const ASK = 'Ask whoever runs it, for whom Settings, Connections lists the steps; a test account can try it out'

interface ConnectInput {
  platform: PlatformName
  username?: string | null
  redirect_url?: string | null
  credentials?: Credentials | null
}

/** Creates an account. A person connects it at its connect_url, unless the request contains credentials. */
export async function connectAccount(context: Context, input: ConnectInput): Promise<SocialAccountRow> {
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
  return context.emit(SocialAccount, 'created', account)
}

/** Returns the provider for the accounts of a platform. Throws a 422 when the operator has not set up the platform. */
function requireSetUp({ services, test }: Context, platform: string): SocialProvider {
  const provider = services.social.providerFor({ platform, test })
  if (provider) return provider
  const isPossible = services.social.setUpOf(platform) !== null
  throw invalid({
    platform: [isPossible ? `is not set up on this service. ${ASK}` : 'cannot be reached by this service yet'],
  })
}

/** Returns the steps, in order, with which the operator of the service sets up a platform. */
export function stepsOf({ services, publicUrl }: Context, platform: string): string[] {
  const setUp = services.social.setUpOf(platform)
  if (!setUp) return []
  const callback = `Enter ${publicUrl}${callbackPath(platform)} there as the redirect URI.`
  return [...setUp.steps, callback, `Set ${listed([...setUp.settings])}, and restart the service.`]
}

/** Requests access to an account again. A connected account stays connected in the meantime. */
export async function reconnectAccount(
  context: Context,
  account: SocialAccountRow,
  input: Omit<ConnectInput, 'platform' | 'username'>,
): Promise<SocialAccountRow> {
  const { credentials, redirect_url } = input
  requireSetUp(context, account.platform)
  const changed = await changeRow(context, SocialAccount, account, {
    status: account.status === 'connected' ? 'connected' : 'pending',
    error_message: null,
    connecting: !credentials,
    ...(redirect_url !== undefined && { redirect_url }),
    offered_credentials: credentials ? sealed(context.services.vault, credentials) : null,
    updated_at: context.now,
  })
  if (credentials) await context.enqueue(checkAccess, { account: account.id }, { awaited: true })
  return context.emit(SocialAccount, 'updated', changed)
}
