import type { Context } from '../../../records/context.ts'
import { deleteRow } from '../../../records/records.ts'
import { deleteRowsOf, updateRowsOf } from '../../../records/rows-of.ts'
import { requireState } from '../../../records/verbs.ts'
import { keepSimulated } from '../social_delivery/keep_simulated.ts'
import { removeDeliveries } from '../social_delivery/of_post.ts'
import { SocialPost, type SocialPostRow } from './social_post.ts'

/** Removes a post here; what was published stays on the platforms, and so do the comments on it. */
export async function deletePost(context: Context, post: SocialPostRow): Promise<void> {
  requireState(SocialPost, 'delete', post)
  if (post.due_job !== null) await context.cancel(post.due_job)
  await keepSimulated(context, post)
  await removeDeliveries(context, post.id)
  await deleteRowsOf(context, 'social_figures').where('social_post', '=', post.id).execute()
  await updateRowsOf(context, 'social_comments').set({ social_post: null }).where('social_post', '=', post.id).execute()
  await deleteRow(context, SocialPost, post)
  context.emit(SocialPost, 'deleted', post)
}
