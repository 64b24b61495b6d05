import { sql } from 'kysely'
import { integer, longText, text } from '../contract/kinds.ts'
import { noun } from '../contract/noun.ts'
import type { Context } from '../records/context.ts'
import { resource } from '../records/resource.ts'
import { slugField } from '../records/slugs.ts'
import type { TableOf } from '../records/tables.ts'
import { verbs } from '../records/verbs.ts'

export const BlogCategory = noun('blog_category', {
  prefix: 'bcat',
  plural: 'blog_categories',
  tag: 'BlogPosts',
  description: 'A group of blog posts.',
  fields: {
    name: text('Name, unique in the account', { min: 2, max: 50, example: 'Guides' }).readOnly(),
    description: longText('What the posts of the group are about', 500).nullable().readOnly(),
    slug: slugField('The name in addresses').readOnly(),
    posts_count: integer('How many posts it has', { min: 0, example: 4 }).derived(),
  },
})

declare module '../records/tables.ts' {
  interface Tables {
    blog_categories: TableOf<typeof BlogCategory> & { name_key: string }
  }
}

const { list, retrieve } = verbs(BlogCategory)

export const blogCategories = resource(BlogCategory, {
  derive: async (rows, context) => {
    const counts = await countPosts(
      context,
      rows.map((row) => row.id),
    )
    return rows.map((row) => ({ posts_count: counts.get(row.id) ?? 0 }))
  },
  operations: [
    list({
      summary: 'List blog categories',
      about: 'In the order of their names.',
      order: { key: 'name_key', direction: 'asc' },
    }),
    retrieve({ summary: 'Show one blog category' }),
  ],
})

async function countPosts(context: Context, categoryIds: string[]): Promise<Map<string, number>> {
  if (categoryIds.length === 0) return new Map()
  const posts = context.db
    .selectFrom('blog_posts')
    .where('account_id', '=', context.accountId)
    .where('category', 'in', categoryIds)
  const counts = await posts
    .select(['category', sql<number>`count(*)`.as('count')])
    .groupBy('category')
    .execute()
  return new Map(counts.map(({ category, count }) => [category!, Number(count)]))
}
