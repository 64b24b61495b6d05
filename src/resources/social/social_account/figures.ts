import type { Context } from '../../../records/context.ts'
import { deleteRowsOf } from '../../../records/rows-of.ts'
import type { DayFigures } from '../../../social/provider.ts'

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
