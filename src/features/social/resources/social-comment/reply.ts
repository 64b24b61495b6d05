import { invalid } from '../../../../contract/declarations/errors.ts'
import type { Context } from '../../../../records/context.ts'
import { tellPlatform } from './jobs.ts'
import { countReply, insertOwnComment } from './own.ts'
import { requirePossible, requireReachable } from './permissions.ts'
import type { SocialCommentRow } from './social-comment.ts'

/** Stores a reply to a comment. A job then posts it on the platform. */
export async function replyToComment(
  context: Context,
  comment: SocialCommentRow,
  { content }: { content: string },
): Promise<SocialCommentRow> {
  if (content.trim() === '') throw invalid({ content: ["can't be blank"] })
  requirePossible(comment, 'reply')
  const account = await requireReachable(context, comment)
  const { social_post } = comment
  const reply = await insertOwnComment(context, account, { social_post, parent: comment.id, content })
  const told = { comment: reply.id, account: account.id, action: 'reply' as const, content }
  await context.enqueue(tellPlatform, { ...told, platformId: comment.platform_comment_id! }, { awaited: true })
  await countReply(context, comment.id, 1)
  return reply
}
