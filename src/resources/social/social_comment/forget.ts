import { sql } from 'kysely'
import type { Context } from '../../../records/context.ts'
import { deleteRowsOf, rowsOf } from '../../../records/rows-of.ts'

/** Removes all comments of an account that goes; lists can go on after them. */
export async function forgetComments(context: Context, account: string): Promise<void> {
  const places = rowsOf(context, 'social_comments')
    .select(['account_id', 'id', sql.lit('{}').as('sort_keys'), sql.lit(context.realNow).as('deleted_at')])
    .where('social_account', '=', account)
  await context.db
    .insertInto('tombstones')
    .columns(['account_id', 'id', 'sort_keys', 'deleted_at'])
    .expression(places)
    .execute()
  for (const table of ['social_comments', 'social_comment_deletions'] as const)
    await deleteRowsOf(context, table).where('social_account', '=', account).execute()
}
