import { ApiError } from '../../../contract/errors.ts'
import type { Row } from '../../../contract/noun.ts'
import { decode } from '../../../records/columns.ts'
import type { Context } from '../../../records/context.ts'
import { FIRST_PLACE } from '../../../records/positions.ts'
import { deleteRow } from '../../../records/records.ts'
import { rowsOf } from '../../../records/rows-of.ts'
import { withdrawFromDiscounts } from '../discount/targets.ts'
import { PriceVariant } from '../price_variant/price_variant.ts'
import { requireNeverSold } from '../price_variant/sold.ts'
import { Review } from '../review/review.ts'
import { Product } from './product.ts'

/** Only what was never ordered can go; its prices and reviews go with it. */
export async function deleteProduct(context: Context, product: Row<typeof Product>): Promise<void> {
  const variants = await rowsOf(context, 'price_variants').selectAll().where('product', '=', product.id).execute()
  requireNeverSold(variants, soldProduct)
  const reviews = await rowsOf(context, 'reviews').selectAll().where('product', '=', product.id).execute()
  await withdrawFromDiscounts(context, [product.id, ...variants.map((variant) => variant.id)])
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

function soldProduct(): ApiError {
  return new ApiError(
    'resource_in_use',
    'This product was sold and cannot be deleted; set its status to archived instead.',
  )
}
