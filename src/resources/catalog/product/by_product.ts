import { text } from '../../../contract/declarations/kinds.ts'
import { filter } from '../../../records/filters.ts'
import { findRow } from '../../../records/records.ts'
import { Product } from './product.ts'

/** `product` of a list: an id or slug; one that nothing has gives an empty list. */
export const ofProduct = filter(
  text('Id or slug of a product', { max: 200, example: 'ruby-handbook' }),
  async (query, value, context) => {
    const product = await findRow(context, Product, String(value))
    return query.where('product', '=', product?.id ?? '')
  },
)
