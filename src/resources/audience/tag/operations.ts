import { sql } from 'kysely'
import type { Context } from '../../../records/context.ts'
import { search, within } from '../../../records/filters.ts'
import { type Derived, resource } from '../../../records/resource.ts'
import { verbs } from '../../../records/verbs.ts'
import { countByTag } from '../customer/tag-links.ts'
import { Tag, type TagRow } from './tag.ts'
import { createTag, deleteTag, updateTag } from './write.ts'

const CUSTOMERS_COUNT = sql`(
  select coalesce(sum(customers), 0) from customer_tags_counts as counts
  where counts.account_id = tags.account_id and counts.tag_id = tags.id
)`

const { list, create, retrieve, update, remove } = verbs(Tag)

export const tags = resource(Tag, {
  derive: deriveCustomersCount,
  operations: [
    list({
      summary: 'List tags',
      order: { key: 'name_key', direction: 'asc' },
      filters: {
        query: search('Text in the name, ignoring case and accents'),
        customers_count: within(Tag, 'customers_count', CUSTOMERS_COUNT),
      },
    }),
    create({
      summary: 'Create a tag, or return the one with that name',
      description: 'An existing tag with that name, ignoring case, is returned unchanged with 200; a new one with 201.',
      findsExisting: true,
      rule: createTag,
    }),
    retrieve({ summary: 'Show one tag' }),
    update({
      summary: 'Change the name or color of a tag',
      description: 'Customers keep the tag, without customer.updated. A name that is taken is 422.',
      rule: updateTag,
    }),
    remove({
      summary: 'Delete a tag and remove it from all customers',
      description: 'Customers lose the tag, without customer.updated.',
      rule: deleteTag,
    }),
  ],
})

async function deriveCustomersCount(rows: TagRow[], context: Context): Promise<Derived[]> {
  const ids = rows.map((row) => row.id)
  const counts = await countByTag(context, ids)
  return ids.map((id) => ({ customers_count: counts.get(id) ?? 0 }))
}
