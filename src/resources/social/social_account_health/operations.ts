import { custom } from '../../../records/custom.ts'
import { resource } from '../../../records/resource.ts'
import { checkHealth } from './check.ts'
import { SocialAccountHealth } from './social_account_health.ts'

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
