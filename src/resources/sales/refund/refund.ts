import { currency, flag, metadata, money, oneOf, reference, text } from '../../../contract/declarations/kinds.ts'
import { noun, type Row } from '../../../contract/declarations/noun.ts'

export const Refund = noun('refund', {
  prefix: 're',
  group: 'Refunds',
  area: 'sales',
  description: 'Money returned to the buyer of an order, in full or in part.',
  gist: 'money returned',
  immutable: true,
  events: ['created', 'failed'],
  example: { failure_message: null },
  hidden: {
    payment: text('The payment that is given back').nullable(),
    reference: text('Id at the processor').nullable(),
    within_limit: flag('Whether it counts towards what support may refund on the order').default(false),
  },
  fields: {
    order: reference('order', 'Order to refund', 'ord_…').required().createOnly().expandable(),
    charge: reference('charge', 'Charge to refund').nullable('none').readOnly().expandable(),
    amount: money('Amount to refund. Default: what is left of the order', { min: 1, example: 500 }).createOnly(),
    amount_tax: money('Tax in amount, returned with it; 0 until it succeeds', { example: 0 }).default(0).readOnly(),
    currency: currency('Currency of the order').readOnly(),
    reason: text('Reason in your own words, such as duplicate or fraudulent; buyers see neither it nor the notes', {
      max: 500,
      example: 'duplicate',
    })
      .nullable('none given')
      .createOnly(),
    notes: text('Internal notes', { max: 5000, example: 'Parcel was damaged.' }).nullable('none').createOnly(),
    status: oneOf(
      ['pending', 'succeeded', 'failed'],
      'pending: not yet settled by the processor; failed: nothing was refunded, or the bank sent it back, and the amount can be refunded again',
    ).readOnly(),
    provider: oneOf(
      ['test', 'card', 'x402'],
      'test: test mode, no real money; card: by card; x402: in USDC',
    ).readOnly(),
    failure_message: text('Why it failed', { max: 500, example: 'The bank refused the refund.' })
      .nullable('it did not fail')
      .readOnly(),
    metadata: metadata().createOnly(),
  },
})

export type RefundRow = Row<typeof Refund>
