import { invalid } from '../../../contract/errors.ts'
import type { Row } from '../../../contract/noun.ts'
import type { Context } from '../../../records/context.ts'
import { insertRow } from '../../../records/records.ts'
import { tellPlatform } from './jobs.ts'
import { requirePossible, requireReachable } from './permissions.ts'
import { countReply } from './replies.ts'
import { SocialComment } from './social_comment.ts'

type CommentRow = Row<typeof SocialComment>

/** Writes an answer to a comment; a job posts it. */
export async function replyToComment(
  context: Context,
  comment: CommentRow,
  { content }: { content: string },
): Promise<CommentRow> {
  if (content.trim() === '') throw invalid({ content: ["can't be blank"] })
  requirePossible(comment, 'reply')
  const account = await requireReachable(context, comment)
  const { social_post, social_account, platform } = comment
  const reply = await insertRow(context, SocialComment, {
    ...{ social_post, social_account, platform, parent: comment.id, content, status: 'visible' },
    ...{ author_name: account.display_name ?? account.username ?? platform, author_username: account.username },
    ...{ from_account: true, likes_count: 0, replies_count: 0 },
  })
  const told = { comment: reply.id, account: account.id, action: 'reply' as const, content }
  await context.enqueue(tellPlatform, { ...told, platformId: comment.platform_comment_id! }, { awaited: true })
  context.emit(SocialComment, 'created', reply)
  await countReply(context, comment.id, 1)
  return reply
}
