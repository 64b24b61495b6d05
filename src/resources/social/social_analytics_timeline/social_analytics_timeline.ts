import { z } from 'zod'
import { flag, oneOf, reference, structure } from '../../../contract/kinds.ts'
import { answerNoun } from '../../../contract/noun.ts'
import { dayField, EXAMPLE_POINT, Point } from '../social_analytics/social_analytics.ts'
import { PLATFORM_NAMES } from '../social_platform/social_platform.ts'

export const SocialAnalyticsTimeline = answerNoun('social_analytics_timeline', {
  group: 'SocialAnalytics',
  description: 'Figures of social accounts over time, one point for each day, week or month. Days are those of UTC.',
  fields: {
    from: dayField('First day'),
    to: dayField('Last day'),
    interval: oneOf(['day', 'week', 'month'], 'Length of each point; weeks begin on Monday'),
    platform: oneOf(PLATFORM_NAMES, 'Only accounts on this platform are counted').nullable('all platforms'),
    social_account: reference('social_account', 'Only this account is counted', 'sacct_…').nullable('all accounts'),
    points: structure(
      'array',
      z.array(Point),
      'The points in order, those without any figures too; the first and the last may be cut off by the period',
      [EXAMPLE_POINT],
    ),
    sandbox: flag('Some of these figures are made up by the built-in sandbox', true),
  },
  example: { platform: null, social_account: null },
})
