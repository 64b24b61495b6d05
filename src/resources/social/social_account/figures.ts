import type { DayFigures, Figures } from '../../../outside/social/provider.ts'
import type { Context } from '../../../records/context.ts'
import { deleteRowsOf, rowsOf } from '../../../records/rows-of.ts'

/** Rows of one statement: SQLite takes 32,766 values, and a row has 14. */
const ROWS_PER_INSERT = 500

interface Reported {
  /** First day that was read; what was known of it and of later days is replaced. A post that is reported on an earlier day is so in total. */
  from: string
  days: DayFigures[]
  /** Our ids of the posts that were asked about, by the platform's. */
  posts: ReadonlyMap<string, { id: string }>
}

/** Stores what was reported. Of the account itself, only days that were reported are replaced: many platforms give no past ones. */
export async function storeFigures(context: Context, account: string, { from, days, posts }: Reported): Promise<void> {
  const reported = days.filter(({ date, post }) => (post === null ? date >= from : posts.has(post)))
  const ofAccount = reported.filter(({ post }) => post === null)
  const followers = await followersOn(context, account, ofAccount)
  await forgetFigures(context, account, { from, reported, posts })
  const rows = reported.map(({ date, post, figures, followersUnknown }) => ({
    account_id: context.accountId,
    social_account: account,
    social_post: post === null ? '' : posts.get(post)!.id,
    date,
    ...figures,
    ...withFollowers(followersUnknown ? (followers.get(date) ?? null) : figures.followers),
  }))
  for (let start = 0; start < rows.length; start += ROWS_PER_INSERT)
    await context.db
      .insertInto('social_figures')
      .values(rows.slice(start, start + ROWS_PER_INSERT))
      .execute()
}

function withFollowers(followers: number | null) {
  return { followers: followers ?? 0, followers_known: followers === null ? 0 : 1 }
}

/** What is stored of the followers of an account on days of which a platform says everything else. */
async function followersOn(context: Context, account: string, days: DayFigures[]): Promise<Map<string, number>> {
  const dates = days.filter(({ followersUnknown }) => followersUnknown).map(({ date }) => date)
  if (dates.length === 0) return new Map()
  const known = await figuresOfAccount(context, account)
    .select(['date', 'followers'])
    .where('date', 'in', dates)
    .where('followers_known', '=', 1)
    .execute()
  return new Map(known.map(({ date, followers }) => [date, Number(followers)]))
}

async function forgetFigures(
  context: Context,
  account: string,
  { from, reported, posts }: Pick<Reported, 'from' | 'posts'> & { reported: DayFigures[] },
): Promise<void> {
  const replaced = deleteRowsOf(context, 'social_figures').where('social_account', '=', account)
  const idsOf = (some: DayFigures[]) => [...new Set(some.flatMap(({ post }) => posts.get(post ?? '')?.id ?? []))]
  const [read, inTotal] = [idsOf(reported), idsOf(reported.filter(({ date }) => date < from))]
  if (read.length > 0) await replaced.where('social_post', 'in', read).where('date', '>=', from).execute()
  if (inTotal.length > 0) await replaced.where('social_post', 'in', inTotal).execute()
  const dates = reported.filter(({ post }) => post === null).map(({ date }) => date)
  if (dates.length > 0) await replaced.where('social_post', '=', '').where('date', 'in', dates).execute()
}

function figuresOfAccount(context: Context, account: string) {
  return rowsOf(context, 'social_figures').where('social_account', '=', account).where('social_post', '=', '')
}

const NO_FIGURES: Omit<Figures, 'followers' | 'followers_gained'> = {
  ...{ impressions: 0, reach: 0, likes: 0, comments: 0, shares: 0, clicks: 0, saves: 0 },
}

interface OwnDay {
  date: string
  /** Null where the platform does not say it now: as many as before. */
  followers: number | null
  /** In place of those that are stored. */
  figures?: typeof NO_FIGURES
  /** The platform has said how many followers the day brought. */
  gainKnown?: boolean
}

/** Notes the day of a reading of an account: what a profile says, and figures that are ours to tell. */
export async function noteDay(
  context: Context,
  social_account: string,
  { date, followers: said, figures, gainKnown = false }: OwnDay,
): Promise<void> {
  const ofAccount = figuresOfAccount(context, social_account)
  const stored = await ofAccount.selectAll().where('date', '=', date).executeTakeFirst()
  const before = await ofAccount
    .select('followers')
    .where('date', '<', date)
    .where('followers_known', '=', 1)
    .orderBy('date', 'desc')
    .limit(1)
    .executeTakeFirst()
  const known = before ? Number(before.followers) : null
  const followers = said ?? known
  const gained = followers === null || known === null ? 0 : followers - known
  await deleteRowsOf(context, 'social_figures')
    .where('social_account', '=', social_account)
    .where('social_post', '=', '')
    .where('date', '=', date)
    .execute()
  const day = {
    ...NO_FIGURES,
    ...stored,
    ...figures,
    followers_gained: gainKnown ? Number(stored?.followers_gained ?? 0) : gained,
    ...{ account_id: context.accountId, social_account, social_post: '', date },
    ...withFollowers(followers),
  }
  await context.db.insertInto('social_figures').values(day).execute()
}
