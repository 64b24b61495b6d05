import type { Interval } from '../../../contract/values/days.ts'
import type { Context } from '../../../records/context.ts'
import { accountsFor, reportOf } from '../social_analytics/figures.ts'
import { periodOf } from '../social_analytics/period.ts'
import { isSimulated, type Query } from '../social_analytics/summarize.ts'
import { pointsOf } from '../social_analytics/totals.ts'

export async function timelineOf(context: Context, query: Query & { interval: Interval }): Promise<object> {
  const { interval, platform = null, social_account = null } = query
  const period = periodOf(context.now, query)
  const accounts = await accountsFor(context, query)
  const report = await reportOf(context, period, { accounts: accounts.map(({ id }) => id) })
  const points = pointsOf(report, period, interval)
  return { ...period, interval, platform, social_account, points, sandbox: isSimulated(context, accounts) }
}
