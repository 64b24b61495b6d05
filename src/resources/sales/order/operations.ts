import { text, timestamp } from '../../../contract/declarations/kinds.ts'
import type { Context } from '../../../records/context.ts'
import { equals, filter } from '../../../records/filters.ts'
import { resource } from '../../../records/resource.ts'
import { rowsOf } from '../../../records/rows-of.ts'
import { words } from '../../../records/search-filter.ts'
import { verbs } from '../../../records/verbs.ts'
import { Customer } from '../../audience/customer/customer.ts'
import { customersFound } from '../../audience/customer/found.ts'
import { productsFound } from '../../catalog/product/queries.ts'
import { Invoice } from '../invoice/invoice.ts'
import { Subscription } from '../subscription/subscription.ts'
import { itemsByOrder } from './items.ts'
import { Order } from './order.ts'
import { sendReceipt } from './receipt.ts'
import { deriveOrders } from './show.ts'

/** The maximum number of sales per product that the search reads; the `product` filter of the list finds all. */
const MOST_LINES = 500

const ORDER_WORDS = words(
  Order,
  'An id, or beginnings of words of the buyer’s e-mail or name, or of a product’s name: then of its newest 500 sales',
  async (context, given) => {
    const byId = columnOf(given)
    if (byId !== null) return [[byId, [given]]]
    const products = await productsFound(context, given)
    return [
      ['customer', await customersFound(context, given)],
      ['id', await newestWith(context, products)],
    ]
  },
)

const { list, retrieve } = verbs(Order)

export const orders = resource(Order, {
  derive: deriveOrders,
  collections: { line_items: itemsByOrder },
  jobs: [sendReceipt],
  operations: [
    list({
      summary: 'List orders',
      description:
        'Includes orders in every status. Revenue is amount less amount_refunded, filtered by paid_at, with any status; months are those of the account’s timezone. A refund so lowers the month of the payment; for the month of the refund, list refunds. By product: GET /order_items. A renewal has a subscription and no checkout.',
      sortedBy: ['amount'],
      filters: {
        status: equals(Order, 'status', 'Only orders in this status'),
        query: ORDER_WORDS,
        customer: equals(Order, 'customer', 'Only orders of this customer'),
        processor: equals(Order, 'processor', 'Only orders with this payment processor'),
        channel: equals(Order, 'channel', 'Only orders that came from here'),
        country: equals(Order, 'country', 'Only orders of buyers who were taxed here'),
        currency: equals(Order, 'currency', 'Only orders in this currency'),
        subscription: equals(Order, 'subscription', 'Only orders of this subscription'),
        invoice: equals(Order, 'invoice', 'Only the order of this invoice'),
        product: filter(
          text('Only orders with this product', { max: 200, example: 'prod_…' }),
          (query, value, context) =>
            query.where(
              'id',
              'in',
              rowsOf(context, 'order_items').select('order').where('product', '=', String(value)),
            ),
        ),
        price_variant: filter(
          text('Only orders with this price', { max: 200, example: 'price_…' }),
          (query, value, context) =>
            query.where(
              'id',
              'in',
              rowsOf(context, 'order_items').select('order').where('price_variant', '=', String(value)),
            ),
        ),
        created_after: filter(timestamp('Created at or after this time'), (query, value) =>
          query.where('created_at', '>=', String(value)),
        ),
        created_before: filter(timestamp('Created before this time'), (query, value) =>
          query.where('created_at', '<', String(value)),
        ),
      },
    }),
    retrieve({ summary: 'Show one order' }),
  ],
})

function columnOf(given: string): string | null {
  if (Customer.isId(given)) return 'customer'
  if (Subscription.isId(given)) return 'subscription'
  return Invoice.isId(given) ? 'invoice' : null
}

async function newestWith(context: Context, products: string[]): Promise<string[]> {
  const orders = new Set<string>()
  for (const product of products) {
    const lines = rowsOf(context, 'order_items').select('order').where('product', '=', product)
    for (const { order } of await lines.orderBy('id', 'desc').limit(MOST_LINES).execute()) orders.add(order)
  }
  return [...orders]
}
