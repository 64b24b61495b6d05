import { sql } from 'kysely'
import { cut } from '../../../../contract/values/values.ts'
import { compileForIds } from '../../../../database/compile-once.ts'
import { decode } from '../../../../records/columns.ts'
import type { Context } from '../../../../records/context.ts'
import { changeRow, deleteRow, findRow, insertRow } from '../../../../records/records.ts'
import { deleteRowsOf, rowsOf } from '../../../../records/rows-of.ts'
import type { ReceivedComment } from '../../providers/provider.ts'
import type { SocialAccountRow } from '../social-account/social-account.ts'
import { MAX_COMMENT, SocialComment, type SocialCommentRow } from './social-comment.ts'

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
  return replies.map((raw) => decode(SocialComment, raw))
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

interface ReceivedComments {
  comments: ReceivedComment[]
  /** Returns this service's id of the post with the given id on the platform; null for an unknown post. */
  postOf(id: string | null): string | null
}

const MAX_NAME = 200

/** Stores new comments. Known comments stay unchanged, and comments that were deleted in this service are not imported again. */
export async function importComments(
  context: Context,
  account: SocialAccountRow,
  { comments, postOf }: ReceivedComments,
): Promise<void> {
  const known = await knownAmong(context, account.id, comments)
  for (const comment of comments) {
    if (known.has(comment.id)) continue
    const parent = comment.parent === null ? null : (known.get(comment.parent) ?? null)
    const row = await insertRow(context, SocialComment, {
      ...{ social_account: account.id, platform: account.platform, social_post: postOf(comment.post), parent },
      ...{ author_name: cut(comment.authorName, MAX_NAME), author_username: comment.authorUsername },
      ...{ content: cut(comment.content, MAX_COMMENT), likes_count: comment.likesCount, replies_count: 0 },
      ...{ status: 'visible', platform_comment_id: comment.id, from_account: comment.own ?? false },
    })
    known.set(comment.id, row.id)
    context.emit(SocialComment, 'created', row)
    if (parent !== null) await countReply(context, parent, 1)
  }
}

/** Maps the platform ids of comments and their parents to the ids in this service; to null if they were deleted here. */
async function knownAmong(
  context: Context,
  account: string,
  comments: readonly ReceivedComment[],
): Promise<Map<string, string | null>> {
  const ids = [...new Set(comments.flatMap(({ id, parent }) => (parent === null ? [id] : [id, parent])))]
  const stored = await storedOf(context.db, context.accountId, ids)
  const deleted = await deletedOf(context.db, context.accountId, ids)
  const all = [...deleted.map((one) => ({ ...one, id: null })), ...stored]
  const own = all.filter(({ social_account }) => social_account === account)
  return new Map(own.map(({ platform_comment_id, id }) => [platform_comment_id!, id]))
}

const storedOf = compileForIds((db: Context['db'], accountId, ids) =>
  rowsOf({ db, accountId }, 'social_comments')
    .select(['id', 'social_account', 'platform_comment_id'])
    .where('platform_comment_id', 'in', ids),
)

const deletedOf = compileForIds((db: Context['db'], accountId, ids) =>
  rowsOf({ db, accountId }, 'social_comment_deletions')
    .select(['social_account', 'platform_comment_id'])
    .where('platform_comment_id', 'in', ids),
)

type OwnComment = Pick<SocialCommentRow, 'social_post' | 'parent' | 'content'> &
  Partial<Pick<SocialCommentRow, 'platform_comment_id'>>

/** Inserts a comment that the shop writes with one of its social accounts, and emits the event. */
export async function insertOwnComment(
  context: Context,
  { id: social_account, platform, display_name, username }: SocialAccountRow,
  said: OwnComment,
): Promise<SocialCommentRow> {
  const comment = await insertRow(context, SocialComment, {
    ...said,
    ...{ social_account, platform, status: 'visible' },
    ...{ author_name: display_name ?? username ?? platform, author_username: username },
    ...{ from_account: true, likes_count: 0, replies_count: 0 },
  })
  return context.emit(SocialComment, 'created', comment)
}

/** Adds `by` to a comment's number of replies. */
export async function countReply(context: Context, parentId: string, by: 1 | -1): Promise<void> {
  const parent = await findRow(context, SocialComment, parentId)
  if (!parent) return
  await context.remember(SocialComment, [parent])
  const counted = { replies_count: Math.max(0, parent.replies_count + by) }
  context.emit(SocialComment, 'updated', await changeRow(context, SocialComment, parent, counted))
}
