import { text } from '../../../contract/declarations/kinds.ts'
import { exampleId } from '../../../contract/declarations/noun.ts'
import { custom } from '../../../records/custom.ts'
import { resource } from '../../../records/resource.ts'
import { ProductSales } from './product_sales.ts'
import { salesOfProduct } from './sales.ts'

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
