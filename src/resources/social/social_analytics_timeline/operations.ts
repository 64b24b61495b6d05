import { oneOf, text } from '../../../contract/declarations/kinds.ts'
import { exampleId } from '../../../contract/declarations/noun.ts'
import { custom } from '../../../records/custom.ts'
import { resource } from '../../../records/resource.ts'
import { INTERVAL, PERIOD } from '../social_analytics/period.ts'
import { PLATFORM_NAMES } from '../social_platform/social_platform.ts'
import { SocialAnalyticsTimeline } from './social_analytics_timeline.ts'
import { timelineOf } from './timeline.ts'

export const socialAnalyticsTimelines = resource(SocialAnalyticsTimeline, {
  operations: [
    custom({
      id: 'retrieve_social_analytics_timeline',
      method: 'GET',
      path: '/social_analytics/timeline',
      summary: 'Figures per day, week or month',
      description: 'History of reach, likes and followers for charts: every interval has a point.',
      answers: SocialAnalyticsTimeline,
      query: {
        ...PERIOD,
        interval: INTERVAL.default('day'),
        platform: oneOf(PLATFORM_NAMES, 'Only accounts on this platform'),
        social_account: text('Only the account with this id', { max: 200, example: exampleId('sacct') }),
      },
      rule: (context, { query }) => timelineOf(context, query),
    }),
  ],
})
