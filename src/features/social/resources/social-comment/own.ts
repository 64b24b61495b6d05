import type { Context } from '../../../../records/context.ts'
import { changeRow, findRow, insertRow } from '../../../../records/records.ts'
import type { SocialAccountRow } from '../social-account/social-account.ts'
import { SocialComment, type SocialCommentRow } from './social-comment.ts'

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
  context.emit(SocialComment, 'created', comment)
  return comment
}

/** Adds 1 to a comment's number of replies or subtracts 1. */
export async function countReply(context: Context, parentId: string, by: 1 | -1): Promise<void> {
  const parent = await findRow(context, SocialComment, parentId)
  if (!parent) return
  await context.remember(SocialComment, [parent])
  const counted = { replies_count: Math.max(0, parent.replies_count + by) }
  context.emit(SocialComment, 'updated', await changeRow(context, SocialComment, parent, counted))
}
