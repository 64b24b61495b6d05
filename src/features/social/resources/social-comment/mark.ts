import type { Context } from '../../../../records/context.ts'
import { changeRow } from '../../../../records/records.ts'
import { changesOf, type Marking, tellPlatform } from './jobs.ts'
import { isDone, requirePossible, requireReachable } from './permissions.ts'
import { SocialComment, type SocialCommentRow } from './social-comment.ts'

/** Applies an action to a comment. A job sends the action to the platform, and undoes it in this service if the platform refuses. */
export async function markComment(
  context: Context,
  comment: SocialCommentRow,
  action: Marking,
): Promise<SocialCommentRow> {
  requirePossible(comment, action)
  if (isDone(comment, action)) return comment
  const account = await requireReachable(context, comment)
  const changed = await changeRow(context, SocialComment, comment, changesOf(comment, action))
  const told = { ...{ comment: comment.id, account: account.id, action }, platformId: comment.platform_comment_id! }
  await context.enqueue(tellPlatform, { ...told, content: null }, { awaited: true })
  context.emit(SocialComment, 'updated', changed)
  return changed
}
