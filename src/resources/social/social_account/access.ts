import { ApiError } from '../../../contract/declarations/errors.ts'
import { cut } from '../../../contract/values/values.ts'
import type { Credentials } from '../../../outside/social/provider.ts'
import type { Context } from '../../../records/context.ts'
import { changeRow, requireRow } from '../../../records/records.ts'
import { checkAccess } from './check_access.ts'
import { sealed } from './credentials.ts'
import { SocialAccount, type SocialAccountRow } from './social_account.ts'

/** What a person may bring about at connect_url; the job that checks the access emits the rest. */
export const ACCESS_EVENTS = ['social_account.updated'] as const

const MAX_WORDS = 500
const NOT_ALLOWED = 'Access was not allowed.'

/** A person has allowed access: whoever waits for this transaction's jobs sees whether the platform agrees. */
export async function offerAccess(context: Context, id: string, credentials: Credentials): Promise<void> {
  const account = await requireConnecting(context, id)
  await changeRow(context, SocialAccount, account, {
    offered_credentials: sealed(context.services.vault, credentials),
  })
  await context.enqueue(checkAccess, { account: id }, { awaited: true })
}

/** A person does not want to give access, or the network does not let it happen. The account goes on waiting for somebody who does. */
export async function declineAccess(context: Context, id: string, words = NOT_ALLOWED): Promise<void> {
  const account = await requireConnecting(context, id)
  await context.remember(SocialAccount, [account])
  const declined = await changeRow(context, SocialAccount, account, { error_message: cut(words, MAX_WORDS) })
  context.emit(SocialAccount, 'updated', declined)
}

async function requireConnecting(context: Context, id: string): Promise<SocialAccountRow> {
  const account = await requireRow(context, SocialAccount, id)
  if (account.connecting) return account
  throw new ApiError('invalid_state', 'No access is requested for this account now. Reconnect it first.')
}
