import { timestamp } from '../../../contract/declarations/kinds.ts'
import type { InputOf } from '../../../contract/declarations/noun.ts'
import type { Context } from '../../../records/context.ts'
import { changeRow, deleteRow, requireRow } from '../../../records/records.ts'
import { insertWithSlug, requireFreeSlug } from '../../../records/slugs.ts'
import { verbs } from '../../../records/verbs.ts'
import { currentUser } from '../../company/user/current.ts'
import { BlogCategory } from '../blog-category/blog-category.ts'
import { BlogPost, type BlogPostRow, WRITTEN } from './blog-post.ts'
import { archivePost, publishPost, schedulePost, unpublishPost } from './publish.ts'

const MAX_AUTHOR = 100

const { create, update, remove, action } = verbs(BlogPost)

const emits = ['blog_post.updated']

/** Operations of the dashboard, because the public API can only read posts. */
export const writing = [
  create({
    summary: 'Create a blog post',
    description: 'It is a draft until it is published or scheduled.',
    emits: ['blog_post.created'],
    body: WRITTEN,
    rule: createPost,
  }),
  update({
    summary: 'Change a blog post',
    description: 'If it is published, readers see the change at once. A new slug breaks links to the old one.',
    emits,
    body: WRITTEN,
    rule: updatePost,
  }),
  remove({
    summary: 'Delete a blog post',
    description: 'It disappears from the blog, and its URL stops working. This cannot be undone.',
    emits: ['blog_post.deleted'],
    rule: deletePost,
  }),
  action('publish', {
    summary: 'Publish the post now',
    description: 'Everyone can read it on the shop’s blog from now on.',
    emits,
    rule: publishPost,
  }),
  action('schedule', {
    summary: 'Publish the post later',
    description: 'It stays out of the blog until then.',
    body: { scheduled_at: timestamp('When to publish it, within a year').required() },
    emits,
    rule: schedulePost,
  }),
  action('unpublish', {
    summary: 'Turn the post back into a draft',
    description: 'It is removed from the blog and no longer scheduled.',
    emits,
    rule: unpublishPost,
  }),
  action('archive', {
    summary: 'Archive the post',
    description: 'It is removed from the blog and kept, with its date.',
    emits,
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
  context.emit(BlogPost, 'updated', changed)
  return changed
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
  const post = await insertWithSlug(context, BlogPost, values, input.title)
  context.emit(BlogPost, 'created', post)
  return post
}

/** `given` is an id or a slug. Throws a 404. */
async function categoryOf(context: Context, given: string | null): Promise<string | null> {
  if (given === null) return null
  return (await requireRow(context, BlogCategory, given, 'category')).id
}
