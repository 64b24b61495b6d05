import { integer, longText, text } from '../../../contract/declarations/kinds.ts'
import { noun, type Row } from '../../../contract/declarations/noun.ts'
import { slugField } from '../../../contract/declarations/slug.ts'

const NAME = text('Name; unique, ignoring case', { min: 2, max: 50, example: 'Guides' })
const DESCRIPTION = longText('Topic of its posts', 500).nullable('none')

export const WRITTEN = {
  name: NAME.required(),
  description: DESCRIPTION,
  slug: slugField('Name in addresses. Absent: made from the name'),
}

export const BlogCategory = noun('blog_category', {
  prefix: 'bcat',
  plural: 'blog_categories',
  listOrder: 'by name, ignoring case',
  group: 'BlogCategories',
  area: 'content',
  description: 'A group of blog posts; read-only.',
  gist: '',
  events: ['created', 'updated', 'deleted'],
  eventsStayInside: true,
  hidden: { name_key: text('The name in lower case: what it is sorted by') },
  fields: {
    name: NAME.readOnly(),
    description: DESCRIPTION.readOnly(),
    slug: slugField('Name in URLs; posts refer to their category by slug').readOnly(),
    posts_count: integer('Number of its posts, in any status', { min: 0, example: 4 }).derived(),
  },
})

export type BlogCategoryRow = Row<typeof BlogCategory>
