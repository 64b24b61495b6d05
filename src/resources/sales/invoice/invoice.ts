import { z } from 'zod'
import {
  currency,
  email,
  flag,
  integer,
  metadata,
  money,
  oneOf,
  reference,
  servedAddress,
  structure,
  text,
  timestamp,
} from '../../../contract/kinds.ts'
import { exampleId, noun } from '../../../contract/noun.ts'
import type { Line } from '../checkout/line.ts'

export const Invoice = noun('invoice', {
  prefix: 'inv',
  group: 'Invoices',
  description: 'A bill for one price, sent to one buyer, who pays it by a checkout.',
  events: ['created', 'paid', 'past_due', 'voided'],
  eventExpand: ['customer'],
  states: { open: ['void'], past_due: ['void'], paid: ['void'], void: ['void'] },
  example: { paid_at: null, voided_at: null, order: null },
  hidden: {
    sequence: integer('The running number'),
    /** The one line, as it was billed. */
    line: structure<Line | null>('object', z.custom<Line | null>(), 'What is billed', null),
    due_job: text('The job that marks it past due').nullable(),
    /** The payment under way, which no void ends and no other payer joins. */
    paying: text('The payment that is under way').nullable(),
  },
  fields: {
    number: text('Running number of the account, without gaps', { max: 20, example: '#00000001' }).readOnly(),
    status: oneOf(
      ['open', 'paid', 'past_due', 'void'],
      'past_due: not paid at due_at; it can still be paid',
    ).readOnly(),
    price_variant: reference(
      'price_variant',
      'Price to bill: not archived and not free; a custom price needs a preset',
      'price_…',
    )
      .required()
      .createOnly()
      .expandable(),
    quantity: integer('Number billed', { min: 1, max: 10_000, unit: 'units' }).default(1).createOnly(),
    amount: money('Unit price × quantity + setup fee, fixed when it is made').readOnly(),
    currency: currency('Currency of the amount').readOnly(),
    customer: reference('customer', 'Buyer to bill. Absent: found or made by email_address', 'cus_…')
      .nullable('the customer was deleted after the invoice was voided')
      .createOnly()
      .expandable(),
    customer_name: text('Name on the bill. Absent: that of the customer', { max: 200, example: 'Ada Lovelace' })
      .nullable('unknown')
      .createOnly(),
    email_address: email('Address the bill is sent to. Absent: that of the customer').createOnly(),
    description: text('Words on the bill', { max: 500, example: 'Workshop in May' }).nullable('none').createOnly(),
    due_at: timestamp('When it has to be paid; in the future', '2027-01-31T00:00:00Z').required().createOnly(),
    paid_at: timestamp('When it was paid').nullable('not paid').readOnly(),
    voided_at: timestamp('When it was voided').nullable('not void').readOnly(),
    order: reference('order', 'Order that paid it').nullable('not paid').readOnly().expandable(),
    collection_method: oneOf(
      ['send_invoice', 'charge_automatically'],
      'send_invoice: the buyer pays at payment_url; charge_automatically needs a saved card, and is 422 while there is none',
    )
      .default('send_invoice')
      .createOnly(),
    charge_buyer_fee: flag('Kept as given; changes nothing').default(false).createOnly(),
    payment_url: servedAddress('Address where the buyer pays it', `https://shop.example/pay/${exampleId('inv')}`),
    metadata: metadata().createOnly(),
  },
})
