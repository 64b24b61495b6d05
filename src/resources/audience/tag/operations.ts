import { search, within } from '../../../records/filters.ts'
import { resource } from '../../../records/resource.ts'
import { verbs } from '../../../records/verbs.ts'
import { createTag } from './create.ts'
import { deleteTag } from './delete.ts'
import { CUSTOMERS_COUNT, deriveCustomersCount } from './show.ts'
import { Tag } from './tag.ts'
import { updateTag } from './update.ts'

const { list, create, retrieve, update, remove } = verbs(Tag)

export const tags = resource(Tag, {
  derive: deriveCustomersCount,
  operations: [
    list({
      summary: 'List tags',
      order: { key: 'name_key', direction: 'asc' },
      filters: {
        query: search('Part of the name'),
        customers_count: within(Tag, 'customers_count', CUSTOMERS_COUNT),
      },
    }),
    create({
      summary: 'Create a tag, or return the one of that name',
      description: 'Names are unique, ignoring case. Answers 200 with the existing tag where there is one, else 201.',
      findsExisting: true,
      emits: ['tag.created'],
      rule: createTag,
    }),
    retrieve({ summary: 'Show one tag' }),
    update({ summary: 'Rename or recolour a tag', emits: ['tag.updated'], rule: updateTag }),
    remove({
      summary: 'Delete a tag and detach it everywhere',
      description: 'Customers lose the tag; that emits no customer.updated.',
      emits: ['tag.deleted'],
      rule: deleteTag,
    }),
  ],
})
