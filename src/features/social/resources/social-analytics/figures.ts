import type { AnswerOf } from '../../../../contract/declarations/noun.ts'
import { addDays, type Days, type Interval, intervalsOf } from '../../../../contract/values/days.ts'
import { decode } from '../../../../records/columns.ts'
import type { Context } from '../../../../records/context.ts'
import { findRows, requireRow } from '../../../../records/records.ts'
import { rowsOf } from '../../../../records/rows-of.ts'
import { COUNTS, NO_COUNTS } from '../../providers/provider.ts'
import { SocialAccount, type SocialAccountRow } from '../social-account/social-account.ts'
import type { PlatformName } from '../social-platform/social-platform.ts'
import { SocialPost } from '../social-post/social-post.ts'
import { periodOf } from './period.ts'
import type { Metrics, Point, SocialAnalytics } from './social-analytics.ts'

const NAMES = ['posts', ...COUNTS, 'followers_gained'] as const satisfies (keyof Sums)[]

const NOTHING: Sums = { posts: 0, ...NO_COUNTS, followers_gained: 0 }

const RATE_DIGITS = 4

interface Day extends Sums {
  account: string
  date: string
  /** The number of followers; null when the platform did not report it. */
  followers: number | null
}

interface Report {
  days: Day[]
  /** The number of followers of each account before the first day. */
  followers: Map<string, number>
}

interface AccountFilter {
  platform?: PlatformName | undefined
  social_account?: string | undefined
}

/** Returns the accounts that match the filter; the list may be empty. */
export async function accountsFor(
  context: Context,
  { platform, social_account }: AccountFilter,
): Promise<SocialAccountRow[]> {
  let query = rowsOf(context, 'social_accounts').selectAll()
  if (platform !== undefined) query = query.where('platform', '=', platform)
  if (social_account !== undefined) query = query.where('id', '=', social_account)
  const rows = await query.orderBy('id').execute()
  return rows.map((raw) => decode<SocialAccountRow>(SocialAccount, raw))
}

/** The subject of a report: several accounts, or one post on all accounts on which it was published. */
type ReportSubject = { accounts: string[] } | { post: string }

/** Returns the reported figures and the published posts of a period. */
export async function reportOf(context: Context, period: Days, subject: ReportSubject): Promise<Report> {
  if ('accounts' in subject && subject.accounts.length === 0) return { days: [], followers: new Map() }
  const days = [...(await reportedIn(context, period, subject)), ...(await publishedIn(context, period, subject))]
  return { days, followers: 'post' in subject ? new Map() : await followersBefore(context, period, subject.accounts) }
}

async function reportedIn(context: Context, { from, to }: Days, subject: ReportSubject): Promise<Day[]> {
  const all = rowsOf(context, 'social_figures').selectAll().where('date', '>=', from).where('date', '<=', to)
  const rows =
    'post' in subject
      ? all.where('social_post', '=', subject.post)
      : all.where('social_post', '=', '').where('social_account', 'in', subject.accounts)
  return (await rows.execute()).map(
    ({ account_id: _, social_account, social_post, date, followers, followers_known, ...figures }) => ({
      ...summed([numbers(figures)]),
      account: social_account,
      date,
      followers: social_post === '' && followers_known ? Number(followers) : null,
    }),
  )
}

/** Counts each published delivery as one post, even if the delivery has no figures. */
async function publishedIn(context: Context, { from, to }: Days, subject: ReportSubject): Promise<Day[]> {
  const all = rowsOf(context, 'social_deliveries')
    .select(['social_account', 'published_at'])
    .where('status', '=', 'published')
    .where('published_at', '>=', `${from}T00:00:00Z`)
    .where('published_at', '<', `${addDays(to, 1)}T00:00:00Z`)
  const rows =
    'post' in subject
      ? all.where('social_post', '=', subject.post)
      : all.where('social_account', 'in', subject.accounts)
  return (await rows.execute()).map(({ social_account, published_at }) => ({
    ...summed([{ posts: 1 }]),
    ...{ account: social_account, date: published_at!.slice(0, 10), followers: null },
  }))
}

/**
 * Returns the last reported number of followers of each account before a period. Each account has a query of its own, which uses the index;
 * for a single query, query planners without statistics would read the whole table.
 */
async function followersBefore(context: Context, { from }: Days, accounts: string[]): Promise<Map<string, number>> {
  const before = rowsOf(context, 'social_figures')
    .select('followers')
    .where('social_post', '=', '')
    .where('followers_known', '=', 1)
    .where('date', '<', from)
    .orderBy('date', 'desc')
  const known = new Map<string, number>()
  for (const account of accounts) {
    const last = await before.where('social_account', '=', account).limit(1).executeTakeFirst()
    if (last) known.set(account, Number(last.followers))
  }
  return known
}

/** Converts figures to numbers, because PostgreSQL returns bigint values as text. */
export function numbers(figures: Partial<Record<keyof Sums, number | string>>): Partial<Sums> {
  return Object.fromEntries(Object.entries(figures).map(([name, value]) => [name, Number(value)]))
}

/** The figures that can be added up. */
type Sums = Omit<Metrics, 'followers' | 'engagement_rate'>

export function summed(all: Iterable<Partial<Sums>>): Sums {
  const total = { ...NOTHING }
  for (const one of all) for (const name of NAMES) total[name] += one[name] ?? 0
  return total
}

/** Returns the reactions per impression with four decimals, or 0 without impressions. */
export function engagementOf({ impressions, likes, comments, shares, clicks, saves }: Sums): number {
  if (impressions === 0) return 0
  return Number(((likes + comments + shares + clicks + saves) / impressions).toFixed(RATE_DIGITS))
}

/** Returns the figures of a period. The followers are the sum over accounts of the last number known at the end. */
function totalsOf(report: Report, period: Days): Metrics {
  return pointsAt(report, [period])[0]!.metrics
}

/** Returns the figures of each interval in a period. Intervals without figures are included. */
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
    const sums = summed(inside)
    return { date: interval.from, metrics: { ...sums, followers: now, engagement_rate: engagementOf(sums) } }
  })
}

function reportAbout({ days, followers }: Report, accounts: ReadonlySet<string>): Report {
  return {
    days: days.filter(({ account }) => accounts.has(account)),
    followers: new Map([...followers].filter(([account]) => accounts.has(account))),
  }
}

export interface Query {
  from?: string
  to?: string
  platform?: PlatformName
  social_account?: string
}

/** Returns the figures of the accounts that match the query, in total and by platform. */
export async function summarize(context: Context, query: Query): Promise<AnswerOf<typeof SocialAnalytics>> {
  const period = periodOf(context.now, query)
  const accounts = await accountsFor(context, query)
  const report = await reportOf(context, period, { accounts: accounts.map(({ id }) => id) })
  const totalsAbout = (some: SocialAccountRow[]) =>
    totalsOf(reportAbout(report, new Set(some.map(({ id }) => id))), period)
  const byPlatform = [...Map.groupBy(accounts, (account) => account.platform)].sort()
  return {
    ...period,
    platform: query.platform ?? null,
    social_account: query.social_account ?? null,
    social_post: null,
    metrics: totalsOf(report, period),
    by_platform: Object.fromEntries(byPlatform.map(([name, own]) => [name, totalsAbout(own)])),
    points: null,
    sandbox: isSimulated(context, accounts),
  }
}

/** Returns the figures of one account, in total and, if an interval is requested, for each interval. */
export async function summarizeAccount(
  context: Context,
  id: string,
  query: Pick<Query, 'from' | 'to'> & { interval?: Interval },
): Promise<AnswerOf<typeof SocialAnalytics>> {
  const account = await requireRow(context, SocialAccount, id)
  const period = periodOf(context.now, query)
  const report = await reportOf(context, period, { accounts: [id] })
  return {
    ...period,
    platform: account.platform,
    social_account: id,
    social_post: null,
    metrics: totalsOf(report, period),
    by_platform: null,
    points: query.interval ? pointsOf(report, period, query.interval) : null,
    sandbox: isSimulated(context, [account]),
  }
}

export async function summarizePost(
  context: Context,
  id: string,
  query: Pick<Query, 'from' | 'to'>,
): Promise<AnswerOf<typeof SocialAnalytics>> {
  const post = await requireRow(context, SocialPost, id)
  const period = periodOf(context.now, query)
  const report = await reportOf(context, period, { post: id })
  const accounts = await findRows(context, SocialAccount, post.social_accounts)
  return {
    ...period,
    ...{ platform: null, social_account: null, social_post: id },
    metrics: totalsOf(report, period),
    ...{ by_platform: null, points: null },
    sandbox: isSimulated(context, [...accounts.values()]),
  }
}

export function isSimulated({ services }: Context, accounts: readonly SocialAccountRow[]): boolean {
  return accounts.some(({ provider }) => services.social.named(provider).simulation !== null)
}
