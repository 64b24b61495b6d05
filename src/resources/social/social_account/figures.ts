import type { DayFigures, Figures } from '../../../outside/social/provider.ts'
import type { Context } from '../../../records/context.ts'
import { deleteRowsOf, rowsOf } from '../../../records/rows-of.ts'

/** Rows of one statement: SQLite takes 32,766 values, and a row has 13. */
const ROWS_PER_INSERT = 500

interface Reported {
  /** First day that was read; what was known of it and of later days is replaced. */
  from: string
  days: DayFigures[]
  /** Our ids of the posts that were asked about, by the platform's. */
  posts: ReadonlyMap<string, { id: string }>
}

export async function storeFigures(context: Context, account: string, { from, days, posts }: Reported): Promise<void> {
  const read = ['', ...[...posts.values()].map(({ id }) => id)]
  await deleteRowsOf(context, 'social_figures')
    .where('social_account', '=', account)
    .where('social_post', 'in', read)
    .where('date', '>=', from)
    .execute()
  const rows = days
    .filter(({ date, post }) => date >= from && (post === null || posts.has(post)))
    .map(({ date, post, figures }) => ({
      account_id: context.accountId,
      social_account: account,
      social_post: post === null ? '' : posts.get(post)!.id,
      date,
      ...figures,
    }))
  for (let start = 0; start < rows.length; start += ROWS_PER_INSERT)
    await context.db
      .insertInto('social_figures')
      .values(rows.slice(start, start + ROWS_PER_INSERT))
      .execute()
}

const NO_FIGURES: Omit<Figures, 'followers' | 'followers_gained'> = {
  ...{ impressions: 0, reach: 0, likes: 0, comments: 0, shares: 0, clicks: 0, saves: 0 },
}

interface OwnDay {
  date: string
  /** Null where the platform does not say it now: as many as before. */
  followers: number | null
  figures?: typeof NO_FIGURES
}

/** Stores the day of a reading of an account, from a platform that does not report days. */
export async function noteDay(
  context: Context,
  social_account: string,
  { date, followers: said, figures = NO_FIGURES }: OwnDay,
): Promise<void> {
  const ofAccount = { account_id: context.accountId, social_account, social_post: '' }
  const known = await rowsOf(context, 'social_figures')
    .select('followers')
    .where('social_account', '=', social_account)
    .where('social_post', '=', '')
    .where('date', '<', date)
    .orderBy('date', 'desc')
    .limit(1)
    .executeTakeFirst()
  const followers = said ?? Number(known?.followers ?? 0)
  const followers_gained = followers - Number(known?.followers ?? followers)
  await deleteRowsOf(context, 'social_figures')
    .where('social_account', '=', social_account)
    .where('social_post', '=', '')
    .where('date', '=', date)
    .execute()
  const day = { ...ofAccount, date, ...figures, followers, followers_gained }
  await context.db.insertInto('social_figures').values(day).execute()
}
