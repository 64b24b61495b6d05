import { flag, longText, oneOf, reference, text, timestamp } from '../contract/kinds.ts'
import { noun } from '../contract/noun.ts'
import { cut } from '../contract/values.ts'
import type { Order } from '../records/page.ts'
import { findRows } from '../records/records.ts'
import { resource } from '../records/resource.ts'
import { slugField } from '../records/slugs.ts'
import type { TableOf } from '../records/tables.ts'
import { equals, filter, search, verbs } from '../records/verbs.ts'
import { BlogCategory } from './blog_category.ts'

/** Characters of an excerpt that nobody wrote. */
const EXCERPT_LENGTH = 200

export const BlogPost = noun('blog_post', {
  prefix: 'post',
  tag: 'BlogPosts',
  description: 'An article of the shop’s blog.',
  slug: true,
  searchable: ['title', 'slug', 'excerpt'],
  example: { status: 'published', category: 'guides', scheduled_at: null },
  fields: {
    title: text('Title', { min: 3, max: 200, example: 'Ten things to know about Ruby' }).readOnly(),
    slug: slugField('Usable in place of the id').readOnly(),
    content: longText('The article as HTML', 200_000, '<p>Ruby is …</p>').readOnly(),
    status: oneOf(['draft', 'published', 'scheduled', 'archived'], 'Lists show all unless filtered').readOnly(),
    excerpt: longText('A summary; the first 200 characters of the content where nobody wrote one', 1000)
      .nullable()
      .readOnly(),
    url: text('Where readers find it', { max: 2048, example: 'https://shop.example/blog/ten-things' }).derived(),
    category: reference('blog_category', 'Slug of its category', 'guides').nullable().readOnly().expandable(),
    published_at: timestamp('When it was published').nullable().readOnly(),
    seo_title: text('Title for search engines', { max: 60, example: 'Ten facts about Ruby' }).nullable().readOnly(),
    seo_description: text('Description for search engines', { max: 160, example: 'What to know first.' })
      .nullable()
      .readOnly(),
    indexable: flag('Whether search engines may list it', true).readOnly(),
    featured_image_url: text('Picture at the top', { max: 2048, example: 'https://shop.example/files/ruby.png' })
      .nullable()
      .readOnly(),
    scheduled_at: timestamp('When it will be published').nullable().readOnly(),
    author: text('Who wrote it', { max: 100, example: 'Ada Lovelace' }).nullable().readOnly(),
  },
})

declare module '../records/tables.ts' {
  interface Tables {
    blog_posts: TableOf<typeof BlogPost> & { search_text: string }
  }
}

const PUBLISHED_FIRST: Order = { key: 'coalesce(published_at, created_at)', direction: 'desc' }
const { list, retrieve } = verbs(BlogPost)

export const blogPosts = resource(BlogPost, {
  derive: async (rows, context) => {
    const categories = await findRows(
      context,
      BlogCategory,
      rows.flatMap((row) => row.category ?? []),
    )
    return rows.map((row) => ({
      url: `${context.publicUrl}/blog/${row.slug}`,
      category: row.category === null ? null : (categories.get(row.category)?.slug ?? null),
      excerpt: row.excerpt ?? cut(plainText(row.content), EXCERPT_LENGTH),
    }))
  },
  operations: [
    list({
      summary: 'List blog posts',
      about: 'Newest publication first; all statuses unless filtered.',
      order: PUBLISHED_FIRST,
      filters: {
        status: equals(BlogPost, 'status'),
        category: filter(text('Slug or id of a category', { max: 200, example: 'guides' }), (query, value, context) => {
          const categories = context.db
            .selectFrom('blog_categories')
            .select('id')
            .where('account_id', '=', context.accountId)
          return query.where(
            'category',
            'in',
            categories.where(BlogCategory.isId(String(value)) ? 'id' : 'slug', '=', String(value)),
          )
        }),
        query: search('Part of the title, slug or excerpt'),
      },
    }),
    retrieve({ summary: 'Show one blog post' }),
  ],
})

function plainText(html: string): string {
  return html
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}
