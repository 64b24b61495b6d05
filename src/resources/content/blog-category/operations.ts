import { sql } from 'kysely'
import type { Context } from '../../../records/context.ts'
import { within } from '../../../records/filters.ts'
import { type Derived, resource } from '../../../records/resource.ts'
import { rowsOf } from '../../../records/rows-of.ts'
import { verbs } from '../../../records/verbs.ts'
import { BlogCategory, type BlogCategoryRow, WRITTEN } from './blog-category.ts'
import { createCategory, deleteCategory, updateCategory } from './write.ts'

const POSTS_COUNT = sql`(
  select count(*) from blog_posts
  where blog_posts.account_id = blog_categories.account_id and blog_posts.category = blog_categories.id
)`

async function derivePostsCount(rows: BlogCategoryRow[], context: Context): Promise<Derived[]> {
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

const { list, retrieve, create, update, remove } = verbs(BlogCategory)

export const blogCategories = resource(BlogCategory, {
  derive: derivePostsCount,
  operations: [
    list({
      summary: 'List blog categories',
      order: { key: 'name_key', direction: 'asc' },
      filters: { posts_count: within(BlogCategory, 'posts_count', POSTS_COUNT) },
    }),
    retrieve({ summary: 'Show one blog category' }),
  ],
  dashboard: [
    create({
      summary: 'Create a blog category',
      emits: ['blog_category.created'],
      body: WRITTEN,
      rule: createCategory,
    }),
    update({
      summary: 'Change a blog category',
      emits: ['blog_category.updated'],
      body: WRITTEN,
      rule: updateCategory,
    }),
    remove({
      summary: 'Delete a blog category',
      description: 'Its posts are kept, without a category.',
      emits: ['blog_category.deleted'],
      rule: deleteCategory,
    }),
  ],
})
