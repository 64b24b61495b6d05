import type { Context } from '../../../../records/context.ts'
import { deleteRowsOf, rowsOf } from '../../../../records/rows-of.ts'
import { type Counts, type DayFigures, NO_COUNTS } from '../../providers/provider.ts'

/** The number of rows per statement: SQLite allows 32,766 parameters, and each row has 14. */
const ROWS_PER_INSERT = 500

interface ReportedFigures {
  /** The first day that was read. A post's figures from this day on are replaced, or all of them if an earlier day was reported. */
  from: string
  days: DayFigures[]
  /** The posts whose figures were requested, by their ids on the platform; `id` is the id in this service. */
  posts: ReadonlyMap<string, { id: string }>
}

/** Stores reported figures. For the account itself, only reported days are replaced, because many platforms report no past ones. */
export async function storeFigures(
  context: Context,
  account: string,
  { from, days, posts }: ReportedFigures,
): Promise<void> {
  const reported = days.filter(({ date, post }) => (post === null ? date >= from : posts.has(post)))
  const ofAccount = reported.filter(({ post }) => post === null)
  const followers = await followersOn(context, account, ofAccount)
  await forgetFigures(context, account, { from, reported, posts })
  const rows = reported.map(({ date, post, figures, followersUnknown }) => ({
    account_id: context.accountId,
    social_account: account,
    social_post: post === null ? '' : posts.get(post)!.id,
    date,
    ...{ ...NO_COUNTS, followers_gained: 0, ...figures },
    ...withFollowers(followersUnknown ? (followers.get(date) ?? null) : (figures.followers ?? 0)),
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

/** Returns the stored followers of an account on the days whose report contains no followers. */
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
  { from, reported, posts }: Pick<ReportedFigures, 'from' | 'posts'> & { reported: DayFigures[] },
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

interface AccountDay {
  date: string
  /** The number of followers. If the platform does not report it, it is null and the last known number applies. */
  followers: number | null
  /** The figures that replace the stored figures of the day. */
  figures?: Counts
  /** Whether the platform has reported the number of followers gained on the day. */
  gainKnown?: boolean
}

/** Stores the figures of an account for a day: the followers of its profile, and figures that this service has computed. */
export async function noteDay(
  context: Context,
  social_account: string,
  { date, followers: said, figures, gainKnown = false }: AccountDay,
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
    ...NO_COUNTS,
    ...stored,
    ...figures,
    followers_gained: gainKnown ? Number(stored?.followers_gained ?? 0) : gained,
    ...{ account_id: context.accountId, social_account, social_post: '', date },
    ...withFollowers(followers),
  }
  await context.db.insertInto('social_figures').values(day).execute()
}
