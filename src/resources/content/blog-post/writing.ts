import { ApiError, invalid } from '../../../contract/declarations/errors.ts'
import { timestamp } from '../../../contract/declarations/kinds.ts'
import type { InputOf } from '../../../contract/declarations/noun.ts'
import { laterBy } from '../../../contract/values/values.ts'
import { decode } from '../../../records/columns.ts'
import type { Context } from '../../../records/context.ts'
import { dueJob } from '../../../records/job.ts'
import { changeRow, deleteRow, findRow, requireRow } from '../../../records/records.ts'
import { rowsOf } from '../../../records/rows-of.ts'
import { insertWithSlug, requireFreeSlug } from '../../../records/slugs.ts'
import { verbs } from '../../../records/verbs.ts'
import { currentUser } from '../../company/user/current.ts'
import { BlogCategory } from '../blog-category/blog-category.ts'
import type { Part } from '../part.ts'
import { BlogPost, type BlogPostRow, WRITTEN } from './blog-post.ts'

const MAX_AUTHOR = 100

const { create, update, remove, action } = verbs(BlogPost)

/** Operations of the dashboard, because the public API can only read posts. */
export const writing = [
  create({
    summary: 'Create a blog post',
    description: 'It is a draft until it is published or scheduled.',
    body: WRITTEN,
    rule: createPost,
  }),
  update({
    summary: 'Change a blog post',
    description: 'If it is published, readers see the change at once. A new slug breaks links to the old one.',
    body: WRITTEN,
    rule: updatePost,
  }),
  remove({
    summary: 'Delete a blog post',
    description: 'It disappears from the blog, and its URL stops working. This cannot be undone.',
    rule: deletePost,
  }),
  action('publish', {
    summary: 'Publish the post now',
    description: 'Everyone can read it on the shop’s blog from now on.',
    rule: publishPost,
  }),
  action('schedule', {
    summary: 'Publish the post later',
    description: 'It stays out of the blog until then.',
    body: { scheduled_at: timestamp('When to publish it, within a year').required() },
    rule: schedulePost,
  }),
  action('unpublish', {
    summary: 'Turn the post back into a draft',
    description: 'It is removed from the blog and no longer scheduled.',
    rule: unpublishPost,
  }),
  action('archive', {
    summary: 'Archive the post',
    description: 'It is removed from the blog and kept, with its date.',
    rule: archivePost,
  }),
]

async function updatePost(
  context: Context,
  post: BlogPostRow,
  { category, ...changes }: Partial<InputOf<typeof WRITTEN>>,
): Promise<BlogPostRow> {
  if (changes.slug !== undefined) await requireFreeSlug(context, BlogPost, changes.slug, post.id)
  const changed = await changeRow(context, BlogPost, post, {
    ...changes,
    ...(category !== undefined && { category: await categoryOf(context, category) }),
  })
  return context.emit(BlogPost, 'updated', changed)
}

async function deletePost(context: Context, post: BlogPostRow): Promise<void> {
  await deleteRow(context, BlogPost, post)
  context.emit(BlogPost, 'deleted', post)
}

async function createPost(context: Context, input: InputOf<typeof WRITTEN>): Promise<BlogPostRow> {
  const { name } = await currentUser(context)
  const values = {
    ...input,
    category: await categoryOf(context, input.category ?? null),
    status: 'draft' as const,
    author: name.slice(0, MAX_AUTHOR),
  }
  return context.emit(BlogPost, 'created', await insertWithSlug(context, BlogPost, values, input.title))
}

/** Returns the id of the category with an id or slug. Throws a 404 if there is none. */
async function categoryOf(context: Context, given: string | null): Promise<string | null> {
  if (given === null) return null
  return (await requireRow(context, BlogCategory, given, 'category')).id
}

/** The maximum time until a scheduled publication. */
const YEAR_MS = 366 * 24 * 60 * 60 * 1000

/** Publishes a post. An archived post that was published before keeps its publication date. */
async function publishPost(context: Context, post: BlogPostRow): Promise<BlogPostRow> {
  const published_at = post.published_at ?? context.now
  return changed(context, post, { status: 'published', published_at, scheduled_at: null })
}

async function unpublishPost(context: Context, post: BlogPostRow): Promise<BlogPostRow> {
  return changed(context, post, { status: 'draft', published_at: null, scheduled_at: null })
}

/** Archives a post, which keeps its publication date. */
async function archivePost(context: Context, post: BlogPostRow): Promise<BlogPostRow> {
  return changed(context, post, { status: 'archived', scheduled_at: null })
}

async function schedulePost(
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

/** Publishes a post at its scheduled time. A job for an earlier schedule does nothing. */
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
  return context.emit(BlogPost, 'updated', await changeRow(context, BlogPost, post, changes))
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
  return rows.map((raw) => decode(BlogPost, raw))
}

export async function hasPublishedPosts(context: Context): Promise<boolean> {
  const query = rowsOf(context, 'blog_posts').select('id').where('status', '=', 'published')
  return (await query.limit(1).executeTakeFirst()) !== undefined
}
