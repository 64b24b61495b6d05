import {
  email,
  flag,
  integer,
  metadata,
  oneOf,
  references,
  text,
  timestamp,
} from '../../../contract/declarations/kinds.ts'
import { noun, type Row } from '../../../contract/declarations/noun.ts'
import { country, region, vatId } from '../../../contract/declarations/place.ts'

/** The maximum length of a full name; `MAX_PART` is that of a first or last name. */
export const MAX_NAME = 200
export const MAX_PART = 100

export const Customer = noun('customer', {
  prefix: 'cus',
  group: 'Customers',
  area: 'customers',
  description: 'A person who has bought, or may buy, from the shop.',
  gist: 'buyer or lead',
  searchable: ['email', 'name'],
  foundBy: ['name', 'email', 'phone_number'],
  events: ['created', 'updated', 'deleted', 'confirmed', 'lead.created'],
  example: { region: null },
  eventDescriptions: {
    confirmed: 'The e-mail address of a customer was confirmed.',
    'lead.created': 'A customer was created as a lead; from a form with double opt-in, once the address is confirmed.',
  },
  hidden: {
    lead_announced: flag('Whether lead.created was emitted: not before a double opt-in is confirmed').default(true),
  },
  fields: {
    email: email('E-mail address, stored in lower case; one customer per address').required(),
    name: text('Full name. Default: first_name and last_name', {
      max: MAX_NAME,
      example: 'Ada Lovelace',
    })
      .nullable('unknown')
      .byStrangers(),
    first_name: text('First name. Default: the name up to its first space', {
      max: MAX_PART,
      example: 'Ada',
    })
      .nullable('unknown')
      .byStrangers(),
    last_name: text('Last name. Default: the name after its first space', {
      max: MAX_PART,
      example: 'Lovelace',
    })
      .nullable('unknown')
      .byStrangers(),
    phone_number: text('Phone number, stored as given', { max: 40, example: '+44 20 7946 0000' })
      .nullable('unknown')
      .byStrangers(),
    country: country(
      'Country where the buyer is taxed; used by invoices and by checkouts made for the customer. A change counts for later renewals, too',
    ).nullable('unknown'),
    region: region('US state or Canadian province where the buyer is taxed').nullable('none'),
    vat_id: vatId('VAT id of a business; its form is checked, not whether it exists').nullable('none'),
    customer_type: oneOf(
      ['lead', 'free', 'paid'],
      'lead: no order and no account; free: registered, or only free orders; paid: at least one paid order. Orders raise it; nothing lowers it, not even a full refund',
    ).readOnly(),
    orders_count: integer('Number of orders, excluding pending and failed ones', { min: 0, example: 2 }).readOnly(),
    total_spend: integer(
      'Total of its orders less refunds that succeeded; only orders in the default_currency of the account count',
      {
        min: 0,
        unit: 'minor units',
        example: 2900,
      },
    ).readOnly(),
    confirmed_at: timestamp('When the e-mail address was confirmed').nullable('not confirmed').readOnly(),
    tags: references(
      'tag',
      'Tags of the customer. Written as names, ignoring case, or ids: unknown names are created, and all tags are replaced',
    )
      .expandable()
      .linked(),
    metadata: metadata(),
  },
})

export type CustomerRow = Row<typeof Customer>
