import { decode } from '../../../records/columns.ts'
import type { Context } from '../../../records/context.ts'
import { findRow } from '../../../records/records.ts'
import { rowsOf } from '../../../records/rows-of.ts'
import type { Part } from '../part.ts'
import { BlogPost, type BlogPostRow } from './blog-post.ts'

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
