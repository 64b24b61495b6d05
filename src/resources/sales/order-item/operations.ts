import { equals } from '../../../records/filters.ts'
import { resource } from '../../../records/resource.ts'
import { verbs } from '../../../records/verbs.ts'
import { OrderItem } from './order-item.ts'

const { list, retrieve } = verbs(OrderItem)

export const orderItems = resource(OrderItem, {
  operations: [
    list({
      summary: 'List order line items',
      description:
        'For revenue by product, sum amount less amount_refunded for each product and currency, filtered by paid_at, with any order_status.',
      filters: {
        order: equals(OrderItem, 'order', 'Only items of this order'),
        product: equals(OrderItem, 'product', 'Only items of this product'),
        price_variant: equals(OrderItem, 'price_variant', 'Only items of this price'),
        order_status: equals(OrderItem, 'order_status', 'Only items of orders in this status'),
      },
      order: (query) =>
        query.order === undefined ? { key: null, direction: 'desc' } : { key: 'line', direction: 'asc' },
    }),
    retrieve({ summary: 'Show one order line item' }),
  ],
})
