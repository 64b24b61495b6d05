import { decode } from '../../../records/columns.ts'
import type { Context } from '../../../records/context.ts'
import { findRow } from '../../../records/records.ts'
import { rowsOf } from '../../../records/rows-of.ts'
import type { Part } from '../../content/part.ts'
import { Product, type ProductRow } from './product.ts'

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
