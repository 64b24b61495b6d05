import type { Context } from '../../../records/context.ts'
import { rowsOf } from '../../../records/rows-of.ts'
import { idsFound } from '../../../records/search/by-words.ts'
import { Product } from './product.ts'

const MOST_PRODUCTS = 20
const MOST_PRICES = 200

/** Ids of the products whose name has words that begin as these do; at most 20. */
export function productsFound(context: Context, words: string): Promise<string[]> {
  return idsFound(context, Product, words, MOST_PRODUCTS)
}

/** Ids of the prices of these products. */
export async function pricesFound(context: Context, words: string): Promise<string[]> {
  const products = await productsFound(context, words)
  if (products.length === 0) return []
  const prices = rowsOf(context, 'price_variants').select('id').where('product', 'in', products)
  return (await prices.limit(MOST_PRICES).execute()).map(({ id }) => id)
}
