import type { Row } from '../../../contract/declarations/noun.ts'
import type { Context } from '../../../records/context.ts'
import { findRows } from '../../../records/records.ts'
import { PriceVariant } from '../../catalog/price_variant/price_variant.ts'
import { Product } from '../../catalog/product/product.ts'
import type { Line } from './line.ts'

/** The prices and products of lines as they are now, by their ids. */
export function soldBy(
  context: Context,
  lines: readonly Pick<Line, 'price_variant' | 'product'>[],
): Promise<[Map<string, Row<typeof PriceVariant>>, Map<string, Row<typeof Product>>]> {
  return Promise.all([
    findRows(
      context,
      PriceVariant,
      lines.map((line) => line.price_variant),
    ),
    findRows(
      context,
      Product,
      lines.map((line) => line.product),
    ),
  ])
}
