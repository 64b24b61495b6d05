import { integer, longText, text } from '../../../contract/kinds.ts'
import { noun } from '../../../contract/noun.ts'
import { slugField } from '../../../contract/slug.ts'

export const BlogCategory = noun('blog_category', {
  prefix: 'bcat',
  plural: 'blog_categories',
  listOrder: 'by name, ignoring case',
  group: 'BlogPosts',
  description: 'A group of blog posts; read-only.',
  hidden: { name_key: text('The name in lower case: what it is sorted by') },
  fields: {
    name: text('Name; unique, ignoring case', { min: 2, max: 50, example: 'Guides' }).readOnly(),
    description: longText('Subject of its posts', 500).nullable('none').readOnly(),
    slug: slugField('Name in addresses; posts refer to their category by it').readOnly(),
    posts_count: integer('Number of its posts, of every status', { min: 0, example: 4 }).derived(),
  },
})
