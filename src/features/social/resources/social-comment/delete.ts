import type { Context } from '../../../../records/context.ts'
import { tellPlatform } from './jobs.ts'
import { requirePossible } from './permissions.ts'
import { removeComment } from './remove.ts'
import type { SocialCommentRow } from './social-comment.ts'

/** Deletes a comment with its replies, both in this service and on the platform. */
export async function deleteComment(context: Context, comment: SocialCommentRow): Promise<void> {
  requirePossible(comment, 'delete')
  await removeComment(context, comment)
  const { id, social_account: account, platform_comment_id: platformId } = comment
  if (platformId === null) return
  await context.enqueue(tellPlatform, { comment: id, account, action: 'delete', platformId, content: null })
}
