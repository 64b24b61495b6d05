import type { InputOf } from '../../../contract/declarations/noun.ts'
import type { Context } from '../../../records/context.ts'
import { requireRow } from '../../../records/records.ts'
import { insertWithSlug } from '../../../records/slugs.ts'
import { currentUser } from '../../company/user/current.ts'
import { BlogCategory } from '../blog_category/blog_category.ts'
import { BlogPost, type BlogPostRow, type WRITTEN } from './blog_post.ts'

const MAX_AUTHOR = 100

/** A draft by the person who makes it. */
export async function createPost(context: Context, input: InputOf<typeof WRITTEN>): Promise<BlogPostRow> {
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

/** The id of a category that a body names by its id or slug. Throws a 404. */
export async function categoryOf(context: Context, given: string | null): Promise<string | null> {
  if (given === null) return null
  return (await requireRow(context, BlogCategory, given, 'category')).id
}
