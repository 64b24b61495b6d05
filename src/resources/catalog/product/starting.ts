import type { Context } from '../../../records/context.ts'
import { rowsOf } from '../../../records/rows-of.ts'
import { idsStarting } from '../../../records/starting.ts'

const MOST_PRODUCTS = 20
const MOST_PRICES = 200

/** Ids of the products whose name begins with words; at most 20. */
export function productsStarting(context: Context, words: string): Promise<string[]> {
  return idsStarting(context, { table: 'products', columns: ['name'], words, most: MOST_PRODUCTS })
}

/** Ids of the prices of these products. */
export async function pricesStarting(context: Context, words: string): Promise<string[]> {
  const products = await productsStarting(context, words)
  if (products.length === 0) return []
  const prices = rowsOf(context, 'price_variants').select('id').where('product', 'in', products)
  return (await prices.limit(MOST_PRICES).execute()).map(({ id }) => id)
}
