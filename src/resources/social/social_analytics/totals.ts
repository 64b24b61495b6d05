import { type Days, type Interval, intervalsOf } from '../../../contract/values/days.ts'
import { metricsOf, type Report, summed } from './figures.ts'
import type { Metrics, Point } from './social_analytics.ts'

/** The figures of a period. Followers are those that each account was last known to have, at its end. */
export function totalsOf(report: Report, period: Days): Metrics {
  return pointsAt(report, [period])[0]!.metrics
}

/** The figures of each interval of a period, of those with no figures too. */
export function pointsOf(report: Report, period: Days, interval: Interval): Point[] {
  return pointsAt(report, intervalsOf(period, interval))
}

function pointsAt({ days, followers: before }: Report, intervals: Days[]): Point[] {
  const byDate = Map.groupBy(days, ({ date }) => date)
  const followers = new Map(before)
  return intervals.map((interval) => {
    const inside = intervalsOf(interval, 'day').flatMap(({ from }) => byDate.get(from) ?? [])
    for (const { account, followers: reported } of inside) if (reported !== null) followers.set(account, reported)
    const now = [...followers.values()].reduce((sum, one) => sum + one, 0)
    return { date: interval.from, metrics: metricsOf(summed(inside), now) }
  })
}

export function reportAbout({ days, followers }: Report, accounts: ReadonlySet<string>): Report {
  return {
    days: days.filter(({ account }) => accounts.has(account)),
    followers: new Map([...followers].filter(([account]) => accounts.has(account))),
  }
}
