import { oneOf, references, text } from '../../../contract/declarations/kinds.ts'
import type { Context } from '../../../records/context.ts'
import { equals, filter, search } from '../../../records/filters.ts'
import { type Derived, resource } from '../../../records/resource.ts'
import { rowsOf } from '../../../records/rows-of.ts'
import { requireUnique } from '../../../records/unique.ts'
import { verbs } from '../../../records/verbs.ts'
import { Tag } from '../tag/tag.ts'
import { requireTagNames, tagNamed } from '../tag/write.ts'
import { Customer, type CustomerRow } from './customer.ts'
import { mailAddressLink, mailBuyerLink } from './sign-in.ts'
import { tagsByCustomer } from './tag-links.ts'
import { createCustomer, deleteCustomer, fillNames, tagCustomer, updateCustomer } from './write.ts'

const { list, create, retrieve, update, remove, action } = verbs(Customer)

export const customers = resource(Customer, {
  derive: deriveTags,
  jobs: [mailBuyerLink, mailAddressLink],
  operations: [
    list({
      summary: 'List customers',
      sortedBy: ['email', 'total_spend'],
      filters: {
        customer_type: equals(Customer, 'customer_type', 'Only customers of this type'),
        query: search('Text in the e-mail address or name, ignoring case and accents'),
        email: equals(Customer, 'email', 'The whole e-mail address, ignoring case'),
        tag: filter(
          text('Name, ignoring case, or id of a tag', { max: 200, example: 'VIP' }),
          async (query, value, context) => {
            const id = Tag.isId(String(value)) ? String(value) : ((await tagNamed(context, String(value)))?.id ?? '')
            return query.where(
              'id',
              'in',
              rowsOf(context, 'customer_tags').select('customer_id').where('tag_id', '=', id),
            )
          },
        ),
      },
    }),
    create({
      summary: 'Create a customer',
      description: 'A new customer is a lead. An e-mail address that is taken is 422.',
      emits: ['customer.created', 'lead.created', 'tag.created'],
      checks: [
        { fields: ['name', 'first_name', 'last_name'], check: (_, given) => fillNames(given) },
        {
          fields: ['email'],
          check: (context, { email }) =>
            email !== undefined && requireUnique(context, Customer, ['email', email], 'email'),
        },
        { fields: ['tags'], check: (_, { tags = [] }) => requireTagNames(tags) },
      ],
      rule: createCustomer,
    }),
    retrieve({ summary: 'Show one customer' }),
    update({
      summary: 'Change a customer',
      description:
        '`tags` replaces all tags. A new `name` sets first_name and last_name, and vice versa, unless both are given.',
      emits: ['customer.updated', 'tag.created'],
      rule: updateCustomer,
    }),
    remove({
      summary: 'Delete a customer',
      description:
        'Reviews, with their customer_name, and void invoices are kept; their `customer` becomes null. If the customer has orders, or open or past_due invoices, 400 resource_in_use.',
      emits: ['customer.deleted', 'review.updated'],
      rule: deleteCustomer,
    }),
    action('tags', {
      id: 'tag_customer',
      summary: 'Add, replace or remove tags of a customer',
      description:
        'add keeps the other tags, replace drops them, remove removes these. Unknown names are created by add and replace and ignored by remove; an unknown id is 404. Emits customer.updated only when the tags change.',
      body: {
        tags: references('tag', 'Names, ignoring case, or ids of tags', { example: ['VIP'] }).required(),
        mode: oneOf(['add', 'replace', 'remove'], 'Change to make to the tags').default('add'),
      },
      emits: ['customer.updated', 'tag.created'],
      rule: tagCustomer,
    }),
  ],
})

async function deriveTags(rows: CustomerRow[], context: Context): Promise<Derived[]> {
  const ids = rows.map((row) => row.id)
  const tags = await tagsByCustomer(context, ids)
  return ids.map((id) => ({ tags: tags.get(id) }))
}
