import type { Context } from '../../../records/context.ts'
import { rowsOf } from '../../../records/rows-of.ts'
import { type Meant, words } from '../../../records/starting.ts'
import { Customer } from '../../audience/customer/customer.ts'
import { customersFound } from '../../audience/customer/found.ts'
import { productsFound } from '../../catalog/product/found.ts'
import { Invoice } from '../invoice/invoice.ts'
import { Subscription } from '../subscription/subscription.ts'
import { Order } from './order.ts'

/** Lines of each product that are looked through; `product` of the list finds all. */
const MOST_LINES = 500

/** What people have in hand of an order: its id, or words of the buyer's address or name or of a product's name. */
export const ORDER_WORDS = words(
  Order,
  'An id, or beginnings of words of the buyer’s e-mail or name, or of a product’s name: then of its newest 500 sales',
  async (context, given): Promise<Meant[]> => {
    const byId = columnOf(given)
    if (byId !== null) return [[byId, [given]]]
    const products = await productsFound(context, given)
    return [
      ['customer', await customersFound(context, given)],
      ['id', await newestWith(context, products)],
    ]
  },
)

function columnOf(given: string): string | null {
  if (Order.isId(given)) return 'id'
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
