import { z } from 'zod'
import { flag, oneOf, reference, structure, timestamp } from '../../../../contract/declarations/kinds.ts'
import { answerNoun } from '../../../../contract/declarations/noun.ts'

const Problem = z.object({
  code: z
    .enum(['not_connected', 'access_expired', 'connection_failed', 'last_request_refused'])
    .describe('Kind of problem'),
  message: z.string().describe('Description of the problem and how to fix it'),
})
export type Problem = z.infer<typeof Problem>

export const SocialAccountHealth = answerNoun('social_account_health', {
  group: 'SocialAccounts',
  area: 'content',
  description: 'Whether posts can be published on a social account now, and what prevents it.',
  gist: '',
  fields: {
    social_account: reference('social_account', 'Account that was checked', 'sacct_…'),
    can_publish: flag('Whether posts can be published on it', true),
    status: oneOf(['pending', 'connected', 'expired', 'error'], 'Status of the account'),
    checked_at: timestamp('When it was checked'),
    problems: structure('array', z.array(Problem), 'Problems, most severe first', []),
  },
  example: { status: 'connected' },
})
