import { sql } from 'kysely'
import type { InputOf } from '../../../contract/declarations/noun.ts'
import type { Context } from '../../../records/context.ts'
import { within } from '../../../records/filters.ts'
import { changeRow, deleteRow } from '../../../records/records.ts'
import { type Derived, resource } from '../../../records/resource.ts'
import { rowsOf, updateRowsOf } from '../../../records/rows-of.ts'
import { insertWithSlug, requireFreeSlug } from '../../../records/slugs.ts'
import { requireUnique } from '../../../records/unique.ts'
import { verbs } from '../../../records/verbs.ts'
import { BlogCategory, type BlogCategoryRow, WRITTEN } from './blog-category.ts'

type Input = InputOf<typeof WRITTEN>

async function createCategory(context: Context, input: Input): Promise<BlogCategoryRow> {
  const name_key = keyOf(input.name)
  await requireUnique(context, BlogCategory, ['name_key', name_key], 'name')
  const category = await insertWithSlug(context, BlogCategory, { ...input, name_key }, input.name)
  return context.emit(BlogCategory, 'created', category)
}

async function updateCategory(
  context: Context,
  category: BlogCategoryRow,
  changes: Partial<Input>,
): Promise<BlogCategoryRow> {
  const except = category.id
  const key = changes.name === undefined ? {} : { name_key: keyOf(changes.name) }
  if (key.name_key !== undefined)
    await requireUnique(context, BlogCategory, ['name_key', key.name_key], 'name', { except })
  if (changes.slug !== undefined) await requireFreeSlug(context, BlogCategory, changes.slug, except)
  return context.emit(BlogCategory, 'updated', await changeRow(context, BlogCategory, category, { ...changes, ...key }))
}

/** Deletes a category. Its posts stay, without a category. */
async function deleteCategory(context: Context, category: BlogCategoryRow): Promise<void> {
  await updateRowsOf(context, 'blog_posts').set({ category: null }).where('category', '=', category.id).execute()
  await deleteRow(context, BlogCategory, category, { name_key: category.name_key })
  context.emit(BlogCategory, 'deleted', category)
}

/** Returns the key of a category's name. Names are unique by this key, and categories are sorted by it. */
function keyOf(name: string): string {
  return name.normalize('NFC').toLowerCase()
}

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
  const byCategory = new Map(counts.map(({ category, count }) => [category, count]))
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
      body: WRITTEN,
      rule: createCategory,
    }),
    update({
      summary: 'Change a blog category',
      body: WRITTEN,
      rule: updateCategory,
    }),
    remove({
      summary: 'Delete a blog category',
      description: 'Its posts are kept, without a category.',
      rule: deleteCategory,
    }),
  ],
})
