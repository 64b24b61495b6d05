import { within } from '../../../records/filters.ts'
import { resource } from '../../../records/resource.ts'
import { verbs } from '../../../records/verbs.ts'
import { BlogCategory, WRITTEN } from './blog-category.ts'
import { derivePostsCount, POSTS_COUNT } from './show.ts'
import { createCategory, deleteCategory, updateCategory } from './write.ts'

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
