import {
  collection,
  currency,
  integer,
  metadata,
  money,
  oneOf,
  reference,
  text,
  timestamp,
} from '../../../contract/kinds.ts'
import { noun } from '../../../contract/noun.ts'
import { PROCESSORS } from '../payment/payment.ts'

export const ORDER_STATUSES = ['pending', 'succeeded', 'failed', 'partially_refunded', 'refunded', 'disputed'] as const

export const Order = noun('order', {
  prefix: 'ord',
  group: 'Orders',
  description: 'One purchase: made by a checkout, or by the renewal of a subscription.',
  events: ['created', 'paid', 'failed', 'refunded', 'partially_refunded', 'disputed'],
  eventExpand: ['customer', 'line_items'],
  example: { invoice: null, subscription: null, discount: null, amount_discount: 0 },
  hidden: {
    amount_refunding: integer('Minor units of refunds that are pending').default(0),
    disputed_from: text('The status before a dispute').nullable(),
  },
  fields: {
    status: oneOf(
      ORDER_STATUSES,
      'pending: being paid; succeeded: paid, or free; failed: not paid; partially_refunded: some of it was given back; refunded: all of it was; disputed: the buyer disputes the payment',
    ).readOnly(),
    customer: reference('customer', 'Buyer').readOnly().expandable(),
    line_items: collection('order_item', 'Lines, as sold', { onlyExpanded: true }),
    amount: money('Total paid, discounts taken off').readOnly(),
    currency: currency('Currency of all its amounts').readOnly(),
    subtotal: money('Total before discounts').readOnly(),
    amount_discount: money('Taken off by the discount', { example: 0 }).readOnly(),
    amount_refunded: money('Refunded so far', { example: 0 }).readOnly(),
    discount: reference('discount', 'Discount that lowered it').nullable('none').readOnly().expandable(),
    checkout: reference('checkout', 'Checkout that it was made by')
      .nullable('made by a renewal')
      .readOnly()
      .expandable(),
    subscription: reference('subscription', 'Subscription that it began or renewed')
      .nullable('none')
      .readOnly()
      .expandable(),
    invoice: reference('invoice', 'Invoice that it paid').nullable('none').readOnly().expandable(),
    charge: reference('charge', 'Payment of it').nullable('free, or not paid yet').readOnly().expandable(),
    processor: oneOf(PROCESSORS, 'Processor of the payment; none: it was free').readOnly(),
    paid_at: timestamp('When it was paid; of a free order, when it was made').nullable('not paid').readOnly(),
    metadata: metadata().readOnly(),
  },
})
