import type { InputOf, Row } from '../../../contract/declarations/noun.ts'
import type { Context } from '../../../records/context.ts'
import { changeRow, deleteRow } from '../../../records/records.ts'
import { requireFreeSlug } from '../../../records/slugs.ts'
import { BlogPost, type WRITTEN } from './blog_post.ts'
import { categoryOf } from './create.ts'

type PostRow = Row<typeof BlogPost>

export async function updatePost(
  context: Context,
  post: PostRow,
  { category, ...changes }: Partial<InputOf<typeof WRITTEN>>,
): Promise<PostRow> {
  if (changes.slug !== undefined) await requireFreeSlug(context, BlogPost, changes.slug, post.id)
  const changed = await changeRow(context, BlogPost, post, {
    ...changes,
    ...(category !== undefined && { category: await categoryOf(context, category) }),
  })
  context.emit(BlogPost, 'updated', changed)
  return changed
}

export async function deletePost(context: Context, post: PostRow): Promise<void> {
  await deleteRow(context, BlogPost, post)
  context.emit(BlogPost, 'deleted', post)
}
