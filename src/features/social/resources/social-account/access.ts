import { ApiError } from '../../../../contract/declarations/errors.ts'
import { cut } from '../../../../contract/values/values.ts'
import type { Context } from '../../../../records/context.ts'
import { changeRow, requireRow } from '../../../../records/records.ts'
import type { Credentials } from '../../providers/provider.ts'
import { checkAccess } from './check-access.ts'
import { sealed } from './credentials.ts'
import { SocialAccount, type SocialAccountRow } from './social-account.ts'

/** The event types that a person can cause at the connect_url. The job that checks the access emits the others. */
export const ACCESS_EVENTS = ['social_account.updated'] as const

const MAX_WORDS = 500
const NOT_ALLOWED = 'Access was not allowed.'

/** Stores the credentials of a person who allowed access. The response waits for the job that checks them with the platform. */
export async function offerAccess(context: Context, id: string, credentials: Credentials): Promise<void> {
  const account = await requireConnecting(context, id)
  await changeRow(context, SocialAccount, account, {
    offered_credentials: sealed(context.services.vault, credentials),
  })
  await context.enqueue(checkAccess, { account: id }, { awaited: true })
}

/** Records that a person or the network denied access. Another person can still allow access. */
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
