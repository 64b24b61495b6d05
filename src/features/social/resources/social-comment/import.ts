import { cut } from '../../../../contract/values/values.ts'
import { compileForIds } from '../../../../database/compile-once.ts'
import type { Context } from '../../../../records/context.ts'
import { insertRow } from '../../../../records/records.ts'
import { rowsOf } from '../../../../records/rows-of.ts'
import type { ReceivedComment } from '../../providers/provider.ts'
import type { SocialAccountRow } from '../social-account/social-account.ts'
import { countReply } from './own.ts'
import { MAX_COMMENT, SocialComment } from './social-comment.ts'

interface ReceivedComments {
  comments: ReceivedComment[]
  /** Returns the id in this service of a post, by the post's id on the platform. */
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

/** Returns the ids in this service of comments and their parents, by their ids on the platform; null if they were deleted here. */
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
