import { sql } from 'kysely'
import { text } from '../../../contract/declarations/kinds.ts'
import { type AnswerOf, exampleId } from '../../../contract/declarations/noun.ts'
import { laterBy } from '../../../contract/values/values.ts'
import type { Context } from '../../../records/context.ts'
import { custom } from '../../../records/custom.ts'
import { requireRow } from '../../../records/records.ts'
import { resource } from '../../../records/resource.ts'
import { rowsOf } from '../../../records/rows-of.ts'
import { Product } from '../../catalog/product/product.ts'
import { ProductSales } from './product-sales.ts'

const DAYS = 30
const DAY_MS = 24 * 60 * 60 * 1000

export const productSales = resource(ProductSales, {
  dashboard: [
    custom({
      id: 'retrieve_product_sales',
      method: 'GET',
      path: '/product_sales',
      summary: 'Show recent sales of a product',
      answers: ProductSales,
      query: { product: text('Id of the product', { max: 200, example: exampleId('prod') }).required() },
      rule: (context, { query }) => salesOfProduct(context, query.product),
    }),
  ],
})

async function salesOfProduct(context: Context, given: string): Promise<AnswerOf<typeof ProductSales>> {
  const { id } = await requireRow(context, Product, given, 'product')
  const rows = await rowsOf(context, 'order_items')
    .select(['currency'])
    .select(sql<number | string>`sum(quantity)`.as('units'))
    .select(sql<number | string>`count(distinct "order")`.as('orders'))
    .select(sql<number | string>`sum(amount - amount_refunded)`.as('revenue'))
    .where('product', '=', id)
    .where('paid_at', '>=', laterBy(context.now, -DAYS * DAY_MS))
    .groupBy('currency')
    .orderBy('currency')
    .execute()
  const sold = rows.map(({ currency, units, orders, revenue }) => ({
    currency,
    units: Number(units),
    orders: Number(orders),
    revenue: Number(revenue),
  }))
  return { product: id, days: DAYS, sold }
}
