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
  description: 'Something that buyers get access to: a course, a download, a membership; read-only.',
  slug: true,
  fields: {
    name: text('Name that buyers see', { max: 100, example: 'Ruby course' }).readOnly(),
    slug: slugField('Name in addresses, usable in place of the id').readOnly(),
    description: longText('Description', 5000).nullable('none').readOnly(),
    access_type: oneOf(['secret', 'open'], 'secret: for buyers only; open: for everybody').readOnly(),
    item_type: oneOf(ITEM_TYPES, 'Kind of content').readOnly(),
    content: structure('object', z.record(z.string(), z.unknown()), 'Content, whose keys depend on item_type', {
      url: 'https://example.com',
    }).readOnly(),
    products: references('product', 'Products that include it').readOnly().expandable(),
  },
})
