import { integer, text } from '../../../contract/declarations/kinds.ts'
import { noun, type Row } from '../../../contract/declarations/noun.ts'

export const MAX_TAG_NAME = 50

export const Tag = noun('tag', {
  prefix: 'tag',
  group: 'Tags',
  area: 'customers',
  description: 'A label that groups customers.',
  gist: 'label of customers',
  searchable: ['name'],
  foundBy: ['name'],
  events: ['created', 'updated', 'deleted'],
  listOrder: 'by name, ignoring case',
  hidden: { name_key: text('The name in lower case: what makes it unique and what it is sorted by') },
  fields: {
    name: text('Label; unique, ignoring case', { max: MAX_TAG_NAME, example: 'VIP' }).required(),
    color: text('Color of the label, as #rrggbb', {
      pattern: /^#[0-9a-fA-F]{6}$/,
      says: 'must be a color like #1f6feb',
      example: '#1f6feb',
    }).nullable('none'),
    customers_count: integer('Number of customers with the tag', { min: 0, example: 3 }).derived(),
  },
})

export type TagRow = Row<typeof Tag>
