import { text } from '../../../contract/declarations/kinds.ts'
import { equals, filter, search } from '../../../records/filters.ts'
import { resource } from '../../../records/resource.ts'
import { rowsOf } from '../../../records/rows-of.ts'
import { verbs } from '../../../records/verbs.ts'
import { BlogCategory } from '../blog-category/blog-category.ts'
import { BlogPost } from './blog-post.ts'
import { deriveBlogPosts } from './show.ts'
import { publishDue, writing } from './writing.ts'

const { list, retrieve } = verbs(BlogPost)

export const blogPosts = resource(BlogPost, {
  derive: deriveBlogPosts,
  jobs: [publishDue],
  dashboard: writing,
  operations: [
    list({
      summary: 'List blog posts',
      description: 'Includes posts in every status. Posts can be written only in the dashboard.',
      order: { key: 'coalesce(published_at, created_at)', direction: 'desc' },
      filters: {
        status: equals(BlogPost, 'status', 'Only posts in this status'),
        category: filter(text('Slug or id of a category', { max: 200, example: 'guides' }), (query, value, context) => {
          const column = BlogCategory.isId(String(value)) ? 'id' : 'slug'
          const category = rowsOf(context, 'blog_categories').select('id').where(column, '=', String(value))
          return query.where('category', 'in', category)
        }),
        query: search('Text in the title, slug or written excerpt, ignoring case and accents'),
      },
    }),
    retrieve({ summary: 'Show one blog post' }),
  ],
})
