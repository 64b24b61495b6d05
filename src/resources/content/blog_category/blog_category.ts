import { integer, longText, text } from '../../../contract/kinds.ts'
import { noun } from '../../../contract/noun.ts'
import { slugField } from '../../../contract/slug.ts'

export const BlogCategory = noun('blog_category', {
  prefix: 'bcat',
  plural: 'blog_categories',
  listOrder: 'by name',
  group: 'BlogPosts',
  description: 'A group of blog posts.',
  hidden: { name_key: text('The name in lower case: what it is sorted by') },
  fields: {
    name: text('Name, unique in the account', { min: 2, max: 50, example: 'Guides' }).readOnly(),
    description: longText('What the posts of the group are about', 500).nullable().readOnly(),
    slug: slugField('The name in addresses').readOnly(),
    posts_count: integer('How many posts it has', { min: 0, example: 4 }).derived(),
  },
})
