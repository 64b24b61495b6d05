import { sql } from 'kysely'
import type { Context } from '../../../records/context.ts'
import type { Derived } from '../../../records/resource.ts'
import { rowsOf } from '../../../records/rows-of.ts'
import type { BlogCategoryRow } from './blog-category.ts'

export const POSTS_COUNT = sql`(
  select count(*) from blog_posts
  where blog_posts.account_id = blog_categories.account_id and blog_posts.category = blog_categories.id
)`

export async function derivePostsCount(rows: BlogCategoryRow[], context: Context): Promise<Derived[]> {
  if (rows.length === 0) return []
  const ids = rows.map((row) => row.id)
  const counts = await rowsOf(context, 'blog_posts')
    .where('category', 'in', ids)
    .select(['category', sql<number>`count(*)`.as('count')])
    .groupBy('category')
    .execute()
  const byCategory = new Map(counts.map(({ category, count }) => [category, Number(count)]))
  return rows.map((row) => ({ posts_count: byCategory.get(row.id) ?? 0 }))
}
