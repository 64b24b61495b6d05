import { currency, integer, money, oneOf, reference, text, timestamp } from '../../../contract/declarations/kinds.ts'
import { noun, type Row, readOnly } from '../../../contract/declarations/noun.ts'
import { ORDER_STATUSES } from '../order/order.ts'

export const OrderItem = noun('order_item', {
  prefix: 'ordi',
  group: 'OrderItems',
  area: 'sales',
  description: 'A line of an order, with names and prices as sold.',
  immutable: true,
  listOrder: 'as sold when filtered by order, else newest first',
  example: { amount_discount: 0, amount_tax: 0, amount_tax_refunded: 0, amount_refunded: 0, setup_fee_amount: 0 },
  hidden: {
    line: integer('Place in the order, from 1'),
    revoke_after_days: integer('Days until access ends').nullable(),
  },
  fields: readOnly({
    order: reference('order', 'Order it belongs to').expandable(),
    price_variant: reference('price_variant', 'Price bought').expandable(),
    product: reference('product', 'Product bought').expandable(),
    quantity: integer('Quantity bought', { min: 1, unit: 'units', example: 1 }),
    unit_amount: money('Price of one unit'),
    setup_fee_amount: money('Setup fee included in amount; charged once for any quantity'),
    amount: money(
      'Amount paid for the line: unit_amount × quantity + setup_fee_amount − amount_discount, plus amount_tax where it was added to prices; in a trial only the setup fee',
    ),
    amount_discount: money('Amount taken off by the discount'),
    amount_tax: money('Tax in amount').default(0),
    amount_tax_refunded: money('Tax in amount_refunded').default(0),
    amount_refunded: money('Share of the order’s amount_refunded'),
    currency: currency('Currency of its amounts'),
    product_name: text('Name of the product when it was sold', { max: 100, example: 'Ruby Handbook' }),
    price_variant_name: text('Name of the price when it was sold', { max: 100, example: 'Hardcover' }),
    tax_code: text('Tax code of the product when it was sold', { max: 50, example: 'txcd_10000000' }).nullable('none'),
    order_status: oneOf(ORDER_STATUSES, 'Status of its order'),
    paid_at: timestamp('When its order was paid').nullable('not paid'),
  }),
})

export type OrderItemRow = Row<typeof OrderItem>
