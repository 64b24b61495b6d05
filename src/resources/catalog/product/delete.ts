import { decode } from '../../../records/columns.ts'
import type { Context } from '../../../records/context.ts'
import { FIRST_PLACE } from '../../../records/positions.ts'
import { deleteRow } from '../../../records/records.ts'
import { rowsOf } from '../../../records/rows-of.ts'
import { withdrawFromLinks } from '../../sales/checkout_link/withdraw.ts'
import { withdrawFromDiscounts } from '../discount/targets.ts'
import { requireUnused } from '../price_variant/in_use.ts'
import { PriceVariant } from '../price_variant/price_variant.ts'
import { Review } from '../review/review.ts'
import { Product, type ProductRow } from './product.ts'

/** Only what was never ordered can go; its prices and reviews go with it. */
export async function deleteProduct(context: Context, product: ProductRow): Promise<void> {
  const variants = await rowsOf(context, 'price_variants').selectAll().where('product', '=', product.id).execute()
  const instead = 'set its status to archived'
  await requireUnused(context, { thing: 'product', id: product.id, variants, instead })
  const reviews = await rowsOf(context, 'reviews').selectAll().where('product', '=', product.id).execute()
  const variantIds = variants.map((variant) => variant.id)
  await withdrawFromDiscounts(context, [product.id, ...variantIds])
  await withdrawFromLinks(context, variantIds)
  for (const raw of variants) {
    await deleteRow(context, PriceVariant, raw, FIRST_PLACE)
    context.emit(PriceVariant, 'deleted', decode(PriceVariant, raw))
  }
  for (const raw of reviews) {
    await deleteRow(context, Review, raw, FIRST_PLACE)
    context.emit(Review, 'deleted', decode(Review, raw))
  }
  await deleteRow(context, Product, product)
  context.emit(Product, 'deleted', product)
}
