import { oneOf, references, text } from '../../../contract/kinds.ts'
import { equals, filter, search } from '../../../records/filters.ts'
import { resource } from '../../../records/resource.ts'
import { rowsOf } from '../../../records/rows-of.ts'
import { verbs } from '../../../records/verbs.ts'
import { tagNamed } from '../tag/named.ts'
import { Tag } from '../tag/tag.ts'
import { createCustomer } from './create.ts'
import { Customer } from './customer.ts'
import { deleteCustomer } from './delete.ts'
import { deriveTags } from './show.ts'
import { tagCustomer } from './tags.ts'
import { updateCustomer } from './update.ts'

const { list, create, retrieve, update, remove, action } = verbs(Customer)

export const customers = resource(Customer, {
  derive: deriveTags,
  operations: [
    list({
      summary: 'List customers',
      filters: {
        customer_type: equals(Customer, 'customer_type'),
        query: search('Part of the e-mail address or name'),
        email: equals(Customer, 'email', 'The exact e-mail address, ignoring case'),
        tag: filter(text('Name or id of a tag', { max: 200, example: 'VIP' }), async (query, value, context) => {
          const id = Tag.isId(String(value)) ? String(value) : ((await tagNamed(context, String(value)))?.id ?? '')
          return query.where(
            'id',
            'in',
            rowsOf(context, 'customer_tags').select('customer_id').where('tag_id', '=', id),
          )
        }),
      },
    }),
    create({
      summary: 'Create a customer',
      description: 'One customer per e-mail address. `name` and `first_name`/`last_name` fill each other.',
      emits: ['customer.created', 'lead.created', 'tag.created'],
      rule: createCustomer,
    }),
    retrieve({ summary: 'Show one customer' }),
    update({
      summary: 'Change a customer',
      description: '`tags` replaces all tags.',
      emits: ['customer.updated', 'tag.created'],
      rule: updateCustomer,
    }),
    remove({
      summary: 'Delete a customer',
      description:
        'Only without orders, subscriptions and open invoices. Reviews of the customer stay, without `customer`.',
      emits: ['customer.deleted', 'review.updated'],
      rule: deleteCustomer,
    }),
    action('tags', {
      id: 'tag_customer',
      summary: 'Add, replace or remove tags of a customer',
      description: 'Unknown names are created on add and replace, and ignored on remove.',
      body: {
        tags: references('tag', 'Names or ids of tags', { example: ['VIP'] }).required(),
        mode: oneOf(['add', 'replace', 'remove'], 'What is done with them').default('add'),
      },
      emits: ['customer.updated', 'tag.created'],
      rule: tagCustomer,
    }),
  ],
})
