import type { InputOf } from '../../../contract/declarations/noun.ts'
import type { Context } from '../../../records/context.ts'
import { changeRow, deleteRow } from '../../../records/records.ts'
import { updateRowsOf } from '../../../records/rows-of.ts'
import { insertWithSlug, requireFreeSlug } from '../../../records/slugs.ts'
import { requireUnique } from '../../../records/unique.ts'
import { BlogCategory, type BlogCategoryRow, type WRITTEN } from './blog-category.ts'

type Input = InputOf<typeof WRITTEN>

export async function createCategory(context: Context, input: Input): Promise<BlogCategoryRow> {
  const name_key = keyOf(input.name)
  await requireUnique(context, BlogCategory, ['name_key', name_key], 'name')
  const category = await insertWithSlug(context, BlogCategory, { ...input, name_key }, input.name)
  context.emit(BlogCategory, 'created', category)
  return category
}

export async function updateCategory(
  context: Context,
  category: BlogCategoryRow,
  changes: Partial<Input>,
): Promise<BlogCategoryRow> {
  const except = category.id
  const key = changes.name === undefined ? {} : { name_key: keyOf(changes.name) }
  if (key.name_key !== undefined)
    await requireUnique(context, BlogCategory, ['name_key', key.name_key], 'name', { except })
  if (changes.slug !== undefined) await requireFreeSlug(context, BlogCategory, changes.slug, except)
  const changed = await changeRow(context, BlogCategory, category, { ...changes, ...key })
  context.emit(BlogCategory, 'updated', changed)
  return changed
}

/** The posts of the category stay without a category. */
export async function deleteCategory(context: Context, category: BlogCategoryRow): Promise<void> {
  await updateRowsOf(context, 'blog_posts').set({ category: null }).where('category', '=', category.id).execute()
  await deleteRow(context, BlogCategory, category, { name_key: category.name_key })
  context.emit(BlogCategory, 'deleted', category)
}

/** Names are unique by this key, and categories are sorted by it. */
function keyOf(name: string): string {
  return name.normalize('NFC').toLowerCase()
}
