import type { Context } from '../../../records/context.ts'
import { changeRow, findRow } from '../../../records/records.ts'
import { SocialComment } from './social_comment.ts'

/** Counts an answer to a comment, or one less. */
export async function countReply(context: Context, parentId: string, by: 1 | -1): Promise<void> {
  const parent = await findRow(context, SocialComment, parentId)
  if (!parent) return
  await context.remember(SocialComment, [parent])
  const counted = { replies_count: Math.max(0, parent.replies_count + by) }
  context.emit(SocialComment, 'updated', await changeRow(context, SocialComment, parent, counted))
}
