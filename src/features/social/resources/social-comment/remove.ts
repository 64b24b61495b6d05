import { sql } from 'kysely'
import { decode } from '../../../../records/columns.ts'
import type { Context } from '../../../../records/context.ts'
import { deleteRow } from '../../../../records/records.ts'
import { deleteRowsOf, rowsOf } from '../../../../records/rows-of.ts'
import { countReply } from './own.ts'
import { SocialComment, type SocialCommentRow } from './social-comment.ts'

/** Deletes a comment with all its replies from this service. */
export async function removeComment(context: Context, comment: SocialCommentRow): Promise<void> {
  for (const reply of await repliesTo(context, comment.id)) await removeThread(context, reply)
  await removeOne(context, comment)
  if (comment.parent !== null) await countReply(context, comment.parent, -1)
}

async function removeThread(context: Context, comment: SocialCommentRow): Promise<void> {
  for (const reply of await repliesTo(context, comment.id)) await removeThread(context, reply)
  await removeOne(context, comment)
}

async function repliesTo(context: Context, id: string): Promise<SocialCommentRow[]> {
  const replies = await rowsOf(context, 'social_comments').selectAll().where('parent', '=', id).execute()
  return replies.map((raw) => decode<SocialCommentRow>(SocialComment, raw))
}

async function removeOne(context: Context, comment: SocialCommentRow): Promise<void> {
  const { social_account, platform_comment_id } = comment
  await deleteRow(context, SocialComment, comment)
  context.emit(SocialComment, 'deleted', comment)
  if (platform_comment_id !== null) await noteDeletion(context, social_account, platform_comment_id)
}

/** Records a deletion, so that the comment is not imported again while the platform still has it. */
export async function noteDeletion(
  context: Context,
  social_account: string,
  platform_comment_id: string,
): Promise<void> {
  const deletion = { account_id: context.accountId, social_account, platform_comment_id }
  await context.db.insertInto('social_comment_deletions').values(deletion).execute()
}

/** Returns whether a comment on the platform was deleted in this service. */
export async function isDeleted(
  context: Context,
  social_account: string,
  platform_comment_id: string,
): Promise<boolean> {
  const found = await rowsOf(context, 'social_comment_deletions')
    .select('platform_comment_id')
    .where('social_account', '=', social_account)
    .where('platform_comment_id', '=', platform_comment_id)
    .executeTakeFirst()
  return found !== undefined
}

/** Removes the record of a deletion, because the platform kept the comment; it can then be imported again. */
export async function forgetDeletion(
  context: Context,
  social_account: string,
  platform_comment_id: string,
): Promise<void> {
  await deleteRowsOf(context, 'social_comment_deletions')
    .where('social_account', '=', social_account)
    .where('platform_comment_id', '=', platform_comment_id)
    .execute()
}

/** Deletes all comments of an account. Tombstones keep the cursors of lists valid. */
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
