import { keysOf } from '../../../contract/values/keys.ts'
import type { DayFigures, Figures, KnownPost, Login } from '../provider.ts'
import { chance, count } from './chance.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/** The day from which simulated accounts have grown. */
const FIRST_DAY = Date.parse('2020-01-01')
/** Days that people still see a post. */
const POST_DAYS = 30
/** Hours of the day, in UTC, at which posts do well, and how much better. */
const GOOD_HOURS: Readonly<Record<number, number>> = { 7: 1.3, 8: 1.4, 12: 1.3, 17: 1.5, 18: 1.7, 19: 1.6, 20: 1.4 }

interface Range {
  from: string
  to: string
}

/** Followers at the end of a day; they never fall. */
export function followersOn({ platform, username }: Pick<Login, 'platform' | 'username'>, date: string): number {
  const name = `${platform} ${username} followers`
  const days = Math.max(0, (Date.parse(date) - FIRST_DAY) / DAY_MS)
  return count(name, 150, 900) + Math.floor(days * chance(`${name} a day`, 0.2, 2))
}

/** The figures of a whole account, day by day: what its posts reach, and some visits besides. */
export function accountDays(login: Login, posts: DayFigures[], range: Range): DayFigures[] {
  const byDate = Map.groupBy(posts, ({ date }) => date)
  return daysOf(range).map((date) => {
    const followers = followersOn(login, date)
    const gained = followers - followersOn(login, dayBefore(date))
    const seed = `${login.platform} ${login.username} ${date}`
    const visits = withReactions(seed, Math.round(followers * chance(`${seed} visits`, 0.02, 0.08)), 0.02)
    const all = [visits, ...(byDate.get(date) ?? []).map(({ figures }) => figures)]
    return { date, post: null, figures: { ...summed(all), followers, followers_gained: gained } }
  })
}

/** The figures of one post on the days of the range on which people still see it: each day about half of the day before. */
export function postDays(login: Login, { id, publishedAt }: KnownPost, range: Range): DayFigures[] {
  const published = publishedAt.slice(0, 10)
  const hour = Number(publishedAt.slice(11, 13))
  const liked = (GOOD_HOURS[hour] ?? 1) * chance(`${id} liked`, 0.02, 0.07)
  const first = followersOn(login, published) * chance(`${id} reach`, 0.2, 0.6)
  return daysOf(range).flatMap((date) => {
    const age = (Date.parse(date) - Date.parse(published)) / DAY_MS
    if (age < 0 || age >= POST_DAYS) return []
    const figures = withReactions(`${id} ${date}`, Math.round(first * 0.55 ** age), liked)
    return [{ date, post: id, figures }]
  })
}

/** What so many people do when `liked` is the share of them who like what they see. */
function withReactions(seed: string, reach: number, liked: number): Figures {
  const impressions = Math.round(reach * chance(`${seed} again`, 1.1, 1.5))
  const share = (part: number) => Math.round(impressions * liked * part)
  return {
    ...{ impressions, reach, likes: share(1), comments: share(0.12), shares: share(0.1) },
    ...{ clicks: share(0.3), saves: share(0.15), followers: 0, followers_gained: 0 },
  }
}

function summed(all: Figures[]): Figures {
  const total = { ...all[0]! }
  for (const figures of all.slice(1)) for (const name of keysOf(total)) total[name] += figures[name]
  return total
}

function daysOf({ from, to }: Range): string[] {
  const days: string[] = []
  for (let at = Date.parse(from); at <= Date.parse(to); at += DAY_MS) days.push(dayOf(at))
  return days
}

function dayBefore(date: string): string {
  return dayOf(Date.parse(date) - DAY_MS)
}

function dayOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 10)
}
