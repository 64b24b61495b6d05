import type { Context } from '../../../../records/context.ts'
import { changeRow, requireRow } from '../../../../records/records.ts'
import { deliveriesOfPost } from '../social-delivery/of-post.ts'
import { SocialPost, type SocialPostRow } from './social-post.ts'

/** Marks a post as published or failed once none of its deliveries is pending. */
export async function closePost(context: Context, postId: string): Promise<SocialPostRow> {
  const post = await requireRow(context, SocialPost, postId)
  const deliveries = await deliveriesOfPost(context, postId)
  if (post.status !== 'publishing' || deliveries.some(({ status }) => status === 'pending')) return post
  const published = deliveries.filter(({ status }) => status === 'published')
  const status = outcomeOf(published.length, deliveries.length)
  const published_at = post.published_at ?? (published.length > 0 ? context.now : null)
  const closed = await changeRow(context, SocialPost, post, { status, published_at })
  context.emit(SocialPost, status, closed)
  return closed
}

function outcomeOf(published: number, all: number): 'published' | 'partially_failed' | 'failed' {
  if (published === 0) return 'failed'
  return published === all ? 'published' : 'partially_failed'
}
