import { sql } from 'kysely'
import { DAY_MS, laterBy } from '../../contract/values/values.ts'
import { dashboardRead } from '../../records/dashboard-read.ts'
import { requireRow } from '../../records/records.ts'
import { rowsOf } from '../../records/rows-of.ts'
import { Product } from '../catalog/product/product.ts'

const DAYS = 30

/** Shows the sales of a product in the last 30 days, by currency. Revenue is what was paid less what was refunded of it. */
export const productSales = dashboardRead('products.read', async (context, id: string) => {
  const product = await requireRow(context, Product, id)
  const sold = await rowsOf(context, 'order_items')
    .select(['currency'])
    .select(sql<number>`sum(quantity)`.as('units'))
    .select(sql<number>`count(distinct "order")`.as('orders'))
    .select(sql<number>`sum(amount - amount_refunded)`.as('revenue'))
    .where('product', '=', product.id)
    .where('paid_at', '>=', laterBy(context.now, -DAYS * DAY_MS))
    .groupBy('currency')
    .orderBy('currency')
    .execute()
  return { days: DAYS, sold }
})
