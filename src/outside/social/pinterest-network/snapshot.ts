import { type DayFigures, type KnownPost, PlatformRefusedError, type Snapshot, type SyncRequest } from '../provider.ts'
import type { Api } from './api.ts'
import { boardOf, profileOf, userOf } from './profile.ts'
import { Analytics } from './shapes.ts'

/** Pins that are read at once, the newest: each takes a request. */
const READ = 25
const DAY_MS = 24 * 60 * 60 * 1000
/** Pinterest has figures of the last 90 days. */
const DAYS = 89
const METRICS = 'IMPRESSION,OUTBOUND_CLICK,SAVE'
const NOTHING = { reach: 0, likes: 0, comments: 0, shares: 0, followers: 0, followers_gained: 0 }

/** Pinterest has impressions, clicks on the link and saves of each pin, day by day. */
export async function snapshotOf(api: Api, { login, posts, from, to }: SyncRequest): Promise<Snapshot> {
  const profile = profileOf(await userOf(api), await boardOf(api, login.credentials))
  const earliest = new Date(Date.parse(to) - DAYS * DAY_MS).toISOString().slice(0, 10)
  const newest = posts.toSorted((one, other) => other.publishedAt.localeCompare(one.publishedAt)).slice(0, READ)
  const days: DayFigures[] = []
  for (const post of newest) days.push(...(await daysOf(api, post, { from: from < earliest ? earliest : from, to })))
  return { profile, comments: [], days }
}

/** None of a pin that was deleted, or whose figures the account may not see. */
async function daysOf(api: Api, { id }: KnownPost, { from, to }: { from: string; to: string }): Promise<DayFigures[]> {
  const path = `/pins/${encodeURIComponent(id)}/analytics?start_date=${from}&end_date=${to}&metric_types=${METRICS}`
  try {
    const { all } = await api.call(path, Analytics)
    const ready = all.daily_metrics.filter(({ data_status }) => data_status === 'READY')
    return ready.map(({ date, metrics }) => {
      const count = (name: string) => Math.round(metrics[name] ?? 0)
      const figures = { impressions: count('IMPRESSION'), clicks: count('OUTBOUND_CLICK'), saves: count('SAVE') }
      return { date, post: id, figures: { ...NOTHING, ...figures } }
    })
  } catch (error) {
    if (error instanceof PlatformRefusedError && !error.expired) return []
    throw error
  }
}
