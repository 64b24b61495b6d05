import { ApiError, invalid } from '../../../contract/declarations/errors.ts'
import { laterBy } from '../../../contract/values/values.ts'
import { decode } from '../../../records/columns.ts'
import type { Context } from '../../../records/context.ts'
import { dueJob } from '../../../records/job.ts'
import { changeRow, findRow } from '../../../records/records.ts'
import { rowsOf } from '../../../records/rows-of.ts'
import type { Part } from '../part.ts'
import { BlogPost, type BlogPostRow } from './blog-post.ts'

/** The maximum time until a scheduled publication. */
const YEAR_MS = 366 * 24 * 60 * 60 * 1000

/** An archived post that was published before keeps its publication date. */
export async function publishPost(context: Context, post: BlogPostRow): Promise<BlogPostRow> {
  const published_at = post.published_at ?? context.now
  return changed(context, post, { status: 'published', published_at, scheduled_at: null })
}

export async function unpublishPost(context: Context, post: BlogPostRow): Promise<BlogPostRow> {
  return changed(context, post, { status: 'draft', published_at: null, scheduled_at: null })
}

/** The post keeps its publication date. */
export async function archivePost(context: Context, post: BlogPostRow): Promise<BlogPostRow> {
  return changed(context, post, { status: 'archived', scheduled_at: null })
}

export async function schedulePost(
  context: Context,
  post: BlogPostRow,
  { scheduled_at }: { scheduled_at: string },
): Promise<BlogPostRow> {
  if (post.status === 'published')
    throw new ApiError('invalid_state', 'The post is already published. Turn it back into a draft first.')
  if (scheduled_at <= context.now) throw invalid({ scheduled_at: ['must be in the future'] })
  if (scheduled_at > laterBy(context.now, YEAR_MS)) throw invalid({ scheduled_at: ['must be within a year'] })
  await context.enqueue(publishDue, { post: post.id }, { runAt: scheduled_at })
  return changed(context, post, { status: 'scheduled', scheduled_at, published_at: null })
}

/** A job for a former time does nothing. */
export const publishDue = dueJob<{ post: string }>('blog_post.publish_due', {
  async work(context, { post: id }) {
    const post = await findRow(context, BlogPost, id)
    if (post?.status !== 'scheduled' || post.scheduled_at === null || post.scheduled_at > context.now) return
    await context.remember(BlogPost, [post])
    await publishPost(context, post)
  },
  emits: ['blog_post.updated'],
})

async function changed(context: Context, post: BlogPostRow, changes: Partial<BlogPostRow>): Promise<BlogPostRow> {
  const after = await changeRow(context, BlogPost, post, changes)
  context.emit(BlogPost, 'updated', after)
  return after
}

export async function publishedPost(context: Context, slug: string): Promise<BlogPostRow | undefined> {
  const post = await findRow(context, BlogPost, slug)
  return post?.status === 'published' ? post : undefined
}

export async function publishedPosts(context: Context, { offset, limit }: Part): Promise<BlogPostRow[]> {
  const rows = await rowsOf(context, 'blog_posts')
    .selectAll()
    .where('status', '=', 'published')
    .orderBy('published_at', 'desc')
    .orderBy('id', 'desc')
    .offset(offset)
    .limit(limit)
    .execute()
  return rows.map((raw) => decode<BlogPostRow>(BlogPost, raw))
}

export async function hasPublishedPosts(context: Context): Promise<boolean> {
  const query = rowsOf(context, 'blog_posts').select('id').where('status', '=', 'published')
  return (await query.limit(1).executeTakeFirst()) !== undefined
}
