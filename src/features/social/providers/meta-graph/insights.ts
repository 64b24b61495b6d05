import { DAY_MS } from '../../../../contract/values/values.ts'
import { isRefusedAlone, orElse, postsInTurn } from '../network.ts'
import type { DayFigures, KnownPost, ReceivedComment, SyncRequest } from '../provider.ts'
import { type Graph, type Insights, isGone } from './api.ts'

/** Returns the first or total value of each metric by name; a value that is not a number counts as 0. */
export function totalsIn({ data }: Insights): Map<string, number> {
  return new Map(data.map(({ name, values, total_value }) => [name, numberIn(total_value?.value ?? values[0]?.value)]))
}

/** Returns the values of each metric by day and name. A value belongs to the day before its `end_time`. */
export function daysIn({ data }: Insights): Map<string, Map<string, number>> {
  const days = new Map<string, Map<string, number>>()
  for (const { name, values } of data)
    for (const { value, end_time } of values) {
      const end = Date.parse(end_time ?? '')
      if (Number.isNaN(end)) continue
      const date = new Date(end - DAY_MS).toISOString().slice(0, 10)
      days.set(date, (days.get(date) ?? new Map<string, number>()).set(name, numberIn(value)))
    }
  return days
}

function numberIn(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) ? Math.max(0, Math.round(value)) : 0
}

/** Returns an empty list if the network refuses the metrics of an object, such as those of a page with few followers. */
export function orNone(asked: Promise<Insights>): Promise<Insights> {
  return orElse(asked, { data: [] }, isRefusedAlone)
}

/** Returns the start of a day, moved by `later` days, in seconds since 1970. */
export function secondsOf(day: string, later = 0): string {
  return String((Date.parse(`${day}T00:00:00Z`) + later * DAY_MS) / 1000)
}

export function daysBefore(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) - days * DAY_MS).toISOString().slice(0, 10)
}

/** The number of posts per sync; each takes two or three requests. */
const POSTS_PER_SYNC = 20

/** Reads posts one at a time until a rate limit is almost used up. Posts that no longer exist are left out. */
export async function readPosts(
  graph: Graph,
  { posts, now }: SyncRequest,
  read: (post: KnownPost) => Promise<{ comments: ReceivedComment[]; figures: DayFigures }>,
): Promise<{ comments: ReceivedComment[]; days: DayFigures[] }> {
  const [comments, days]: [ReceivedComment[], DayFigures[]] = [[], []]
  for (const post of postsInTurn(posts, now, POSTS_PER_SYNC)) {
    if (graph.isAlmostUsedUp()) break
    const found = await orElse(read(post), null, isGone)
    if (found === null) continue
    comments.push(...found.comments)
    days.push(found.figures)
  }
  return { comments, days }
}
