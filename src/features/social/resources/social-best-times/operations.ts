import { oneOf, text, timeZone } from '../../../../contract/declarations/kinds.ts'
import { exampleId } from '../../../../contract/declarations/noun.ts'
import { custom } from '../../../../records/custom.ts'
import { resource } from '../../../../records/resource.ts'
import { PLATFORM_NAMES } from '../social-platform/social-platform.ts'
import { bestTimes } from './best-times.ts'
import { SocialBestTimes } from './social-best-times.ts'

export const socialBestTimes = resource(SocialBestTimes, {
  operations: [
    custom({
      id: 'retrieve_social_best_times',
      method: 'GET',
      path: '/social_analytics/best_times',
      summary: 'Hours with the best engagement',
      description:
        'When followers react most, and so the best times to post. Covers only hours in which something was posted.',
      answers: SocialBestTimes,
      query: {
        platform: oneOf(PLATFORM_NAMES, 'Only accounts on this platform'),
        social_account: text('Only the account with this id', { max: 200, example: exampleId('sacct') }),
        timezone: timeZone('Time zone of the hours. Default: the shop’s'),
      },
      rule: (context, { query }) => bestTimes(context, query),
    }),
  ],
})
