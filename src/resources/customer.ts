import { ApiError, invalid } from '../contract/errors.ts'
import { email, integer, metadata, money, oneOf, references, text, timestamp } from '../contract/kinds.ts'
import { type Changes, type CreateInput, noun, type Row } from '../contract/noun.ts'
import type { Context } from '../records/context.ts'
import { changeRow, deleteRow, insertRow } from '../records/records.ts'
import { resource } from '../records/resource.ts'
import type { TableOf } from '../records/tables.ts'
import { equals, filter, search, verbs } from '../records/verbs.ts'
import { fillNames, MAX_NAME, MAX_PART } from './customer/names.ts'
import { detachCustomer, setTags, type TagMode, tagsByCustomer } from './customer/tags.ts'
import { Tag, tagNamed } from './tag.ts'

export const Customer = noun('customer', {
  prefix: 'cus',
  tag: 'Customers',
  description: 'Somebody who bought, or may buy, in the shop.',
  searchable: ['email', 'name'],
  events: ['created', 'updated', 'deleted', 'confirmed'],
  fields: {
    email: email('E-mail address, in lower case; one customer per address').required(),
    name: text('Full name; made from first and last name when absent', {
      max: MAX_NAME,
      example: 'Ada Lovelace',
    }).nullable(),
    first_name: text('First name; taken from the name when absent', { max: MAX_PART, example: 'Ada' }).nullable(),
    last_name: text('Last name; taken from the name when absent', { max: MAX_PART, example: 'Lovelace' }).nullable(),
    phone_number: text('Phone number, as given', { max: 40, example: '+44 20 7946 0000' }).nullable(),
    customer_type: oneOf(
      ['lead', 'free', 'paid'],
      'lead has no order yet, free only free ones, paid at least one paid',
    ).readOnly(),
    orders_count: integer('Orders that went through', { min: 0, example: 2 }).readOnly(),
    total_spend: money('What was paid less what was refunded, in the currency of the account').readOnly(),
    confirmed_at: timestamp('When the e-mail address was confirmed').nullable().readOnly(),
    tags: references('tag', 'Ids of the customer’s tags; bodies take names or ids, and unknown names are created')
      .expandable()
      .linked(),
    metadata: metadata(),
  },
})

declare module '../records/tables.ts' {
  interface Tables {
    customers: TableOf<typeof Customer> & { search_text: string }
  }
}

type CustomerRow = Row<typeof Customer>

const { list, create, retrieve, update, remove, action } = verbs(Customer)

export const customers = resource(Customer, {
  derive: async (rows, context) => {
    const tags = await tagsByCustomer(
      context,
      rows.map((row) => row.id),
    )
    return rows.map((row) => ({ tags: (row as Partial<Snapshot>).tags ?? tags.get(row.id) }))
  },
  operations: [
    list({
      summary: 'List customers',
      filters: {
        customer_type: equals(Customer, 'customer_type'),
        query: search('Part of the e-mail address or name'),
        email: equals(Customer, 'email', 'The exact e-mail address, whatever its case'),
        tag: filter(text('Name or id of a tag', { max: 200, example: 'VIP' }), async (query, value, context) => {
          const id = Tag.isId(String(value)) ? String(value) : ((await tagNamed(context, String(value)))?.id ?? '')
          const links = context.db
            .selectFrom('customer_tags')
            .select('customer_id')
            .where('account_id', '=', context.accountId)
          return query.where('id', 'in', links.where('tag_id', '=', id))
        }),
      },
    }),
    create({
      summary: 'Create a customer',
      about: 'One customer per e-mail address. `name` and `first_name`/`last_name` fill each other.',
      emits: ['customer.created', 'lead.created'],
      run: createCustomer,
    }),
    retrieve({ summary: 'Show one customer' }),
    update({
      summary: 'Change a customer',
      about: '`tags` replaces all tags.',
      emits: ['customer.updated'],
      run: (context, customer, changes) => changeCustomer(context, customer, changes, 'replace'),
    }),
    remove({
      summary: 'Delete a customer',
      about: 'Only without orders, subscriptions and open invoices.',
      emits: ['customer.deleted'],
      run: deleteCustomer,
    }),
    action('tags', {
      id: 'tag_customer',
      summary: 'Add, replace or remove tags of a customer',
      about: 'Unknown names are created on add and replace, and ignored on remove.',
      body: {
        tags: references('tag', 'Names or ids of tags', { example: ['VIP'] }).required(),
        mode: oneOf(['add', 'replace', 'remove'], 'What is done with them').default('add'),
      },
      emits: ['customer.updated'],
      run: (context, customer, { tags, mode }) => changeCustomer(context, customer, { tags }, mode),
    }),
  ],
})

async function createCustomer(context: Context, input: CreateInput<typeof Customer>): Promise<CustomerRow> {
  await requireFreeAddress(context, input.email)
  const { tags = [], ...values } = fillNames(input)
  const customer = await insertRow(context, Customer, {
    ...values,
    customer_type: 'lead',
    orders_count: 0,
    total_spend: 0,
  })
  await setTags(context, customer.id, tags, 'replace')
  context.emit('customer.created', Customer, customer)
  context.emit('lead.created', Customer, customer)
  return customer
}

/** A row with its tags as they were, so that an event can tell what they have become. */
type Snapshot = CustomerRow & { tags: string[] }

async function changeCustomer(
  context: Context,
  customer: CustomerRow,
  changes: Changes<typeof Customer>,
  mode: TagMode,
): Promise<CustomerRow> {
  if (changes.email !== undefined && changes.email !== customer.email) await requireFreeAddress(context, changes.email)
  const before: Snapshot = { ...customer, tags: (await tagsByCustomer(context, [customer.id])).get(customer.id)! }
  const { tags, ...values } = fillNames(changes, customer)
  const retagged = tags !== undefined && (await setTags(context, customer.id, tags ?? [], mode))
  const changed = await changeRow(context, Customer, customer, values, retagged ? { updated_at: context.now } : {})
  context.emit('customer.updated', Customer, changed, { before })
  return changed
}

async function deleteCustomer(context: Context, customer: CustomerRow): Promise<void> {
  if (customer.orders_count > 0) {
    throw new ApiError('resource_in_use', 'This customer has orders and cannot be deleted.')
  }
  await detachCustomer(context, customer.id)
  const reviews = context.db.updateTable('reviews').set({ customer: null }).where('account_id', '=', context.accountId)
  await reviews.where('customer', '=', customer.id).execute()
  await deleteRow(context, Customer, customer)
  context.emit('customer.deleted', Customer, customer, { deleted: true })
}

async function requireFreeAddress(context: Context, address: string): Promise<void> {
  const query = context.db.selectFrom('customers').select('id').where('account_id', '=', context.accountId)
  if (await query.where('email', '=', address).executeTakeFirst()) throw invalid({ email: ['has already been taken'] })
}
