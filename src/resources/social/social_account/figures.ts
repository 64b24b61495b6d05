import type { DayFigures, Figures } from '../../../outside/social/provider.ts'
import type { Context } from '../../../records/context.ts'
import { deleteRowsOf, rowsOf } from '../../../records/rows-of.ts'

/** Rows of one statement: SQLite takes 32,766 values, and a row has 14. */
const ROWS_PER_INSERT = 500

interface Reported {
  /** First day that was read; what was known of it and of later days is replaced. */
  from: string
  days: DayFigures[]
  /** Our ids of the posts that were asked about, by the platform's. */
  posts: ReadonlyMap<string, { id: string }>
}

/** Stores what was reported. Of the account itself, only days that were reported are replaced: many platforms give no past ones. */
export async function storeFigures(context: Context, account: string, { from, days, posts }: Reported): Promise<void> {
  const reported = days.filter(({ date, post }) => date >= from && (post === null || posts.has(post)))
  const ofAccount = reported.filter(({ post }) => post === null)
  const followers = await followersOn(context, account, ofAccount)
  await forgetFigures(context, account, from, { dates: ofAccount.map(({ date }) => date), posts })
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
  from: string,
  { dates, posts }: Pick<Reported, 'posts'> & { dates: string[] },
): Promise<void> {
  const replaced = deleteRowsOf(context, 'social_figures').where('social_account', '=', account)
  const read = [...posts.values()].map(({ id }) => id)
  if (read.length > 0) await replaced.where('social_post', 'in', read).where('date', '>=', from).execute()
  if (dates.length > 0) await replaced.where('social_post', '=', '').where('date', 'in', dates).execute()
}

function figuresOfAccount(context: Context, account: string) {
  return rowsOf(context, 'social_figures').where('social_account', '=', account).where('social_post', '=', '')
}

const NO_FIGURES: Omit<Figures, 'followers' | 'followers_gained'> = {
  ...{ impressions: 0, reach: 0, likes: 0, comments: 0, shares: 0, clicks: 0, saves: 0 },
}

/** Notes how many followers a profile has on the day of a reading, where no figures of that day say it. */
export async function noteFollowers(
  context: Context,
  social_account: string,
  { date, followers }: { date: string; followers: number },
): Promise<void> {
  const stored = await figuresOfAccount(context, social_account).selectAll().where('date', '=', date).executeTakeFirst()
  const before = await figuresOfAccount(context, social_account)
    .select('followers')
    .where('date', '<', date)
    .where('followers_known', '=', 1)
    .orderBy('date', 'desc')
    .limit(1)
    .executeTakeFirst()
  const reported = Number(stored?.followers_gained ?? 0)
  const gained = { followers_gained: reported || followers - Number(before?.followers ?? followers) }
  await deleteRowsOf(context, 'social_figures')
    .where('social_account', '=', social_account)
    .where('social_post', '=', '')
    .where('date', '=', date)
    .execute()
  const ofAccount = { account_id: context.accountId, social_account, social_post: '', date }
  const day = { ...NO_FIGURES, ...stored, ...gained, ...ofAccount, ...withFollowers(followers) }
  await context.db.insertInto('social_figures').values(day).execute()
}
