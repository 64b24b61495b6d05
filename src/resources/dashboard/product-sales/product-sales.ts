import { z } from 'zod'
import { integer, structure, text } from '../../../contract/declarations/kinds.ts'
import { answerNoun, exampleId } from '../../../contract/declarations/noun.ts'

const Sold = z.object({ currency: z.string(), units: z.int(), orders: z.int(), revenue: z.int() })

export const ProductSales = answerNoun('product_sales', {
  group: 'Products',
  area: 'products',
  description: 'Recent sales of a product.',
  fields: {
    product: text('Id of the product', { example: exampleId('prod') }),
    days: integer('Length of the period', { min: 1, unit: 'days', example: 30 }),
    sold: structure(
      'array',
      z.array(Sold),
      'For each currency: units, orders, and what was paid less what was refunded of it',
      [{ currency: 'usd', units: 2, orders: 1, revenue: 5800 }],
    ),
  },
})
