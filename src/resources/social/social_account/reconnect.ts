import type { Credentials } from '../../../outside/social/provider.ts'
import type { Context } from '../../../records/context.ts'
import { changeRow } from '../../../records/records.ts'
import { checkAccess } from './check_access.ts'
import { requireSetUp } from './connect.ts'
import { sealed } from './credentials.ts'
import { SocialAccount, type SocialAccountRow } from './social_account.ts'

interface Input {
  redirect_url?: string | null
  credentials?: Credentials | null
}

/** Asks for access once more. An account that is connected stays so meanwhile. */
export async function reconnectAccount(
  context: Context,
  account: SocialAccountRow,
  input: Input,
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
  context.emit(SocialAccount, 'updated', changed)
  return changed
}
