import type { AnswerOf } from '../../../../contract/declarations/noun.ts'
import type { Interval } from '../../../../contract/values/days.ts'
import type { Context } from '../../../../records/context.ts'
import { findRows, requireRow } from '../../../../records/records.ts'
import { SocialAccount, type SocialAccountRow } from '../social-account/social-account.ts'
import type { PlatformName } from '../social-platform/social-platform.ts'
import { SocialPost } from '../social-post/social-post.ts'
import { accountsFor, pointsOf, reportAbout, reportOf, totalsOf } from './figures.ts'
import { periodOf } from './period.ts'
import type { SocialAnalytics } from './social-analytics.ts'

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
