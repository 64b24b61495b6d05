import type { InputOf } from '../../../contract/declarations/noun.ts'
import type { Context } from '../../../records/context.ts'
import { changeRow, deleteRow } from '../../../records/records.ts'
import { requireFreeSlug } from '../../../records/slugs.ts'
import { BlogPost, type BlogPostRow, type WRITTEN } from './blog_post.ts'
import { categoryOf } from './create.ts'

export async function updatePost(
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

export async function deletePost(context: Context, post: BlogPostRow): Promise<void> {
  await deleteRow(context, BlogPost, post)
  context.emit(BlogPost, 'deleted', post)
}
