import { email, integer, metadata, money, oneOf, references, text, timestamp } from '../../../contract/kinds.ts'
import { noun } from '../../../contract/noun.ts'

/** The longest full name, and the longest first or last name. */
export const MAX_NAME = 200
export const MAX_PART = 100

export const Customer = noun('customer', {
  prefix: 'cus',
  group: 'Customers',
  description: 'Somebody who bought, or may buy, in the shop.',
  searchable: ['email', 'name'],
  events: ['created', 'updated', 'deleted', 'confirmed', 'lead.created'],
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
