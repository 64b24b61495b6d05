import { within } from '../../../records/filters.ts'
import { resource } from '../../../records/resource.ts'
import { verbs } from '../../../records/verbs.ts'
import { BlogCategory } from './blog_category.ts'
import { derivePostsCount, POSTS_COUNT } from './show.ts'

const { list, retrieve } = verbs(BlogCategory)

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
})
