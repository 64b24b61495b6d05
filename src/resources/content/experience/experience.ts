import { z } from 'zod'
import { longText, oneOf, references, structure, text } from '../../../contract/kinds.ts'
import { noun } from '../../../contract/noun.ts'
import { slugField } from '../../../contract/slug.ts'

const ITEM_TYPES = [
  'course',
  'download',
  'written_content',
  'embed',
  'link',
  'discord',
  'telegram',
  'event',
  'forum',
] as const

export const Experience = noun('experience', {
  prefix: 'exp',
  group: 'Experiences',
  description: 'What a buyer gets: a course, a download, a membership.',
  slug: true,
  fields: {
    name: text('Name', { max: 100, example: 'Ruby course' }).readOnly(),
    slug: slugField('Usable in place of the id').readOnly(),
    description: longText('Description', 5000).nullable().readOnly(),
    access_type: oneOf(['secret', 'open'], 'secret is for buyers, open for everybody').readOnly(),
    item_type: oneOf(ITEM_TYPES, 'What it is').readOnly(),
    content: structure('object', z.record(z.string(), z.unknown()), 'Its content; the shape follows item_type', {
      url: 'https://example.com',
    }).readOnly(),
    products: references('product', 'Products that include it').readOnly().expandable(),
  },
})
