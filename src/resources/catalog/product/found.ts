import { text } from '../../../contract/declarations/kinds.ts'
import { decode } from '../../../records/columns.ts'
import type { Context } from '../../../records/context.ts'
import { filter } from '../../../records/filters.ts'
import { findRow } from '../../../records/records.ts'
import { rowsOf } from '../../../records/rows-of.ts'
import { idsFound } from '../../../records/search/by-words.ts'
import type { Part } from '../../content/part.ts'
import { Product, type ProductRow } from './product.ts'

/** `product` of a list: an id or slug; one that nothing has gives an empty list. */
export const ofProduct = filter(
  text('Id or slug of a product', { max: 200, example: 'ruby-handbook' }),
  async (query, value, context) => {
    const product = await findRow(context, Product, String(value))
    return query.where('product', '=', product?.id ?? '')
  },
)

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

/** The active product of a slug; others are unknown to visitors. */
export async function publishedProduct(context: Context, slug: string): Promise<ProductRow | undefined> {
  const product = await findRow(context, Product, slug)
  return product?.status === 'active' ? product : undefined
}

export async function publishedProducts(context: Context, { offset, limit }: Part): Promise<ProductRow[]> {
  const rows = await rowsOf(context, 'products')
    .selectAll()
    .where('status', '=', 'active')
    .orderBy('id', 'desc')
    .offset(offset)
    .limit(limit)
    .execute()
  return rows.map((raw) => decode<ProductRow>(Product, raw))
}
