import type { Context } from '../../../records/context.ts'
import { findNamed } from '../../../records/records.ts'
import { PriceVariant, type PriceVariantRow } from '../../catalog/price-variant/price-variant.ts'
import { Product, type ProductRow } from '../../catalog/product/product.ts'
import type { Line } from './line.ts'

/** Returns the current prices and products of cart lines, each by id. */
export function soldBy(
  context: Context,
  lines: readonly Pick<Line, 'price_variant' | 'product'>[],
): Promise<[Map<string, PriceVariantRow>, Map<string, ProductRow>]> {
  return Promise.all([
    findNamed(context, PriceVariant, 'price_variant', lines),
    findNamed(context, Product, 'product', lines),
  ])
}
