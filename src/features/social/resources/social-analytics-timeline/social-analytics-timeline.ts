import { z } from 'zod'
import { day } from '../../../../contract/declarations/day.ts'
import { flag, oneOf, reference, structure } from '../../../../contract/declarations/kinds.ts'
import { answerNoun } from '../../../../contract/declarations/noun.ts'
import { EXAMPLE_POINT, Point } from '../social-analytics/social-analytics.ts'
import { PLATFORM_NAMES } from '../social-platform/social-platform.ts'

export const SocialAnalyticsTimeline = answerNoun('social_analytics_timeline', {
  group: 'SocialAnalytics',
  area: 'content',
  description: 'Figures of social accounts over time, one point for each day, week or month, in UTC.',
  gist: '',
  fields: {
    from: day('First day'),
    to: day('Last day'),
    interval: oneOf(['day', 'week', 'month'], 'Interval between points; weeks begin on Monday'),
    platform: oneOf(PLATFORM_NAMES, 'Only accounts on this platform are counted').nullable('all platforms'),
    social_account: reference('social_account', 'Only this account is counted', 'sacct_…').nullable('all accounts'),
    points: structure(
      'array',
      z.array(Point),
      'Points in order, including those without figures; the period can cut off the first and the last',
      [EXAMPLE_POINT],
    ),
    sandbox: flag('Whether the built-in sandbox made up some of these figures', true),
  },
  example: { platform: null, social_account: null },
})
