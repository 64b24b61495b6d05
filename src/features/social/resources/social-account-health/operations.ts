import { missingResource } from '../../../../contract/declarations/errors.ts'
import type { AnswerOf } from '../../../../contract/declarations/noun.ts'
import type { Context } from '../../../../records/context.ts'
import { custom } from '../../../../records/custom.ts'
import { requireRow } from '../../../../records/records.ts'
import { resource } from '../../../../records/resource.ts'
import { SocialAccount, type SocialAccountRow } from '../social-account/social-account.ts'
import { type Problem, SocialAccountHealth } from './social-account-health.ts'

export const socialAccountHealth = resource(SocialAccountHealth, {
  operations: [
    custom({
      id: 'check_social_account_health',
      method: 'GET',
      path: '/social_accounts/{id}/health',
      summary: 'Check whether the account can publish',
      description: 'Reports what prevents posting, such as expired access, and how to fix it.',
      answers: SocialAccountHealth,
      rule: (context, { path }) => checkHealth(context, path.id),
    }),
  ],
})

async function checkHealth(context: Context, id: string): Promise<AnswerOf<typeof SocialAccountHealth>> {
  const account = await requireRow(context, SocialAccount, id)
  // A disconnected account's row is deleted, so only the account's event shows this status.
  if (account.status === 'disconnected') throw missingResource(SocialAccount.name)
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
