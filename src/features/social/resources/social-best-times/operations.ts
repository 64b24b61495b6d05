import { timeZone } from '../../../../contract/declarations/kinds.ts'
import type { AnswerOf } from '../../../../contract/declarations/noun.ts'
import { laterBy } from '../../../../contract/values/values.ts'
import { readingAt } from '../../../../contract/values/wall-clock.ts'
import type { Context } from '../../../../records/context.ts'
import { custom } from '../../../../records/custom.ts'
import { resource } from '../../../../records/resource.ts'
import { rowsOf } from '../../../../records/rows-of.ts'
import { currentAccount } from '../../../../resources/company/account/current.ts'
import { accountsFor, engagementOf, isSimulated, numbers, type Query, summed } from '../social-analytics/figures.ts'
import { ACCOUNTS } from '../social-analytics/period.ts'
import { type Slot, SocialBestTimes } from './social-best-times.ts'

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
      query: { ...ACCOUNTS, timezone: timeZone('Time zone of the hours. Default: the shop’s') },
      rule: (context, { query }) => bestTimes(context, query),
    }),
  ],
})

const YEAR_MS = 366 * 24 * 60 * 60 * 1000
const MOST_SLOTS = 20
/** The maximum number of newest posts that are evaluated. */
const MOST_POSTS = 5_000
const SCORE_DIGITS = 3
/** The figures that are used to compute engagement. */
const COUNTED = ['impressions', 'likes', 'comments', 'shares', 'clicks', 'saves'] as const

interface Sample {
  publishedAt: string
  engagement: number
}

async function bestTimes(
  context: Context,
  query: Pick<Query, 'platform' | 'social_account'> & { timezone?: string },
): Promise<AnswerOf<typeof SocialBestTimes>> {
  const { platform = null, social_account = null } = query
  const accounts = await accountsFor(context, query)
  const timezone = query.timezone ?? (await currentAccount(context)).timezone
  const samples = await samplesOf(
    context,
    accounts.map(({ id }) => id),
  )
  return {
    platform,
    social_account,
    timezone,
    slots: slotsOf(samples, timezone),
    sandbox: isSimulated(context, accounts),
  }
}

/** Returns the posts of the last year on these accounts for which figures are known. */
async function samplesOf(context: Context, accounts: string[]): Promise<Sample[]> {
  if (accounts.length === 0) return []
  const since = laterBy(context.now, -YEAR_MS)
  const published = await rowsOf(context, 'social_deliveries')
    .select(['social_account', 'social_post', 'published_at'])
    .where('social_account', 'in', accounts)
    .where('status', '=', 'published')
    .where('published_at', '>=', since)
    .orderBy('published_at', 'desc')
    .orderBy('id', 'desc')
    .limit(MOST_POSTS)
    .execute()
  const engagement = await engagementSince(context, since.slice(0, 10), accounts)
  return published.flatMap(({ social_account, social_post, published_at }) => {
    const known = engagement.get(keyOfPost(social_account, social_post))
    return known === undefined ? [] : [{ publishedAt: published_at!, engagement: known }]
  })
}

async function engagementSince(context: Context, day: string, accounts: string[]): Promise<Map<string, number>> {
  const rows = await rowsOf(context, 'social_figures')
    .select(['social_account', 'social_post'])
    .select(({ fn }) => COUNTED.map((name) => fn.sum<number | string>(name).as(name)))
    .where('social_account', 'in', accounts)
    .where('social_post', '!=', '')
    .where('date', '>=', day)
    .groupBy(['social_account', 'social_post'])
    .execute()
  return new Map(
    rows.map(({ social_account, social_post, ...figures }) => [
      keyOfPost(social_account, social_post),
      engagementOf(summed([numbers(figures)])),
    ]),
  )
}

function keyOfPost(account: string, post: string): string {
  return `${account} ${post}`
}

function slotsOf(samples: readonly Sample[], timezone: string): Slot[] {
  const hourOf = (moment: string) => localHourOf(moment, timezone)
  const byHour = Map.groupBy(samples, ({ publishedAt }) => keyOf(hourOf(publishedAt)))
  const hours = [...byHour].map(([key, ofHour]) => ({ key, mean: meanOf(ofHour), samples: ofHour.length }))
  const best = Math.max(0, ...hours.map(({ mean }) => mean))
  if (best === 0) return []
  return hours
    .map(({ key, mean, samples: number }) => ({
      ...hourOfKey(key),
      score: Number((mean / best).toFixed(SCORE_DIGITS)),
      samples: number,
    }))
    .sort((one, other) => other.score - one.score || other.samples - one.samples || keyOf(one) - keyOf(other))
    .slice(0, MOST_SLOTS)
}

function meanOf(samples: readonly Sample[]): number {
  return samples.reduce((sum, { engagement }) => sum + engagement, 0) / samples.length
}

/** Returns a number for an hour of the week, in chronological order. */
function keyOf({ weekday, hour }: LocalHour): number {
  return weekday * 24 + hour
}

function hourOfKey(key: number): LocalHour {
  return { weekday: Math.floor(key / 24), hour: key % 24 }
}

/** An hour of the week. Monday is weekday 1. */
interface LocalHour {
  weekday: number
  hour: number
}

/** Returns the hour of the week of a moment in a time zone. */
function localHourOf(moment: string, timeZone: string): LocalHour {
  const reading = new Date(readingAt(timeZone, Date.parse(moment)))
  return { weekday: ((reading.getUTCDay() + 6) % 7) + 1, hour: reading.getUTCHours() }
}
