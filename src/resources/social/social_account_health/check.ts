import type { Context } from '../../../records/context.ts'
import { requireRow } from '../../../records/records.ts'
import { SocialAccount, type SocialAccountRow } from '../social_account/social_account.ts'
import type { Problem } from './social_account_health.ts'

export async function checkHealth(context: Context, id: string): Promise<object> {
  const account = await requireRow(context, SocialAccount, id)
  return {
    social_account: account.id,
    can_publish: account.status === 'connected',
    status: account.status,
    checked_at: context.now,
    problems: problemsOf(account),
  }
}

function problemsOf({ status, error_message }: SocialAccountRow): Problem[] {
  const said = error_message === null ? '' : ` ${error_message}`
  if (status === 'pending')
    return [{ code: 'not_connected', message: 'Nobody has allowed access yet. Open connect_url to allow it.' }]
  if (status === 'expired') return [{ code: 'access_expired', message: `Reconnect it.${said}` }]
  if (status === 'error') return [{ code: 'connection_failed', message: `Reconnect it.${said}` }]
  return error_message === null ? [] : [{ code: 'last_request_refused', message: error_message }]
}
