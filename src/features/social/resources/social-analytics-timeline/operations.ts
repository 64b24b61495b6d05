import type { AnswerOf } from '../../../../contract/declarations/noun.ts'
import type { Interval } from '../../../../contract/values/days.ts'
import type { Context } from '../../../../records/context.ts'
import { custom } from '../../../../records/custom.ts'
import { resource } from '../../../../records/resource.ts'
import { accountsFor, isSimulated, pointsOf, type Query, reportOf } from '../social-analytics/figures.ts'
import { ACCOUNTS, INTERVAL, PERIOD, periodOf } from '../social-analytics/period.ts'
import { SocialAnalyticsTimeline } from './social-analytics-timeline.ts'

export const socialAnalyticsTimelines = resource(SocialAnalyticsTimeline, {
  operations: [
    custom({
      id: 'retrieve_social_analytics_timeline',
      method: 'GET',
      path: '/social_analytics/timeline',
      summary: 'Figures per day, week or month',
      description: 'History of reach, likes and followers for charts: every interval has a point.',
      answers: SocialAnalyticsTimeline,
      query: { ...PERIOD, interval: INTERVAL.default('day'), ...ACCOUNTS },
      rule: (context, { query }) => timelineOf(context, query),
    }),
  ],
})

async function timelineOf(
  context: Context,
  query: Query & { interval: Interval },
): Promise<AnswerOf<typeof SocialAnalyticsTimeline>> {
  const { interval, platform = null, social_account = null } = query
  const period = periodOf(context.now, query)
  const accounts = await accountsFor(context, query)
  const report = await reportOf(context, period, { accounts: accounts.map(({ id }) => id) })
  const points = pointsOf(report, period, interval)
  return { ...period, interval, platform, social_account, points, sandbox: isSimulated(context, accounts) }
}
