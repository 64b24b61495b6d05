import { integer, text } from '../../../contract/kinds.ts'
import { noun } from '../../../contract/noun.ts'

/** The longest name of a tag. */
export const MAX_TAG_NAME = 50

export const Tag = noun('tag', {
  prefix: 'tag',
  group: 'Tags',
  description: 'A word that groups customers.',
  searchable: ['name'],
  events: ['created', 'updated', 'deleted'],
  listOrder: 'by name',
  hidden: { name_key: text('The name in lower case: what makes it unique and what it is sorted by') },
  fields: {
    name: text('The word; unique in the account, whatever its case', { max: MAX_TAG_NAME, example: 'VIP' }).required(),
    color: text('How it is shown', {
      pattern: /^#[0-9a-fA-F]{6}$/,
      says: 'must be a colour like #1f6feb',
      example: '#1f6feb',
    }).nullable(),
    customers_count: integer('How many customers carry it', { min: 0, example: 3 }).derived(),
  },
})
