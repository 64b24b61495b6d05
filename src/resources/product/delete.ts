import { ApiError } from '../../contract/errors.ts'
import type { Row } from '../../contract/noun.ts'
import { decode } from '../../records/columns.ts'
import type { Context } from '../../records/context.ts'
import { FIRST_PLACE } from '../../records/positions.ts'
import { deleteRow } from '../../records/records.ts'
import { withdrawFromDiscounts } from '../discount/targets.ts'
import { requireNeverSold } from '../price_variant/sold.ts'
import { PriceVariant } from '../price_variant.ts'
import { Product } from '../product.ts'
import { Review } from '../review.ts'

/** Only what was never ordered can go; its prices and reviews go with it. */
export async function deleteProduct(context: Context, product: Row<typeof Product>): Promise<void> {
  const ofProduct = { account_id: context.accountId, product: product.id }
  const variants = await context.db.selectFrom('price_variants').selectAll().where(both(ofProduct)).execute()
  requireNeverSold(
    variants,
    () =>
      new ApiError(
        'resource_in_use',
        'This product was sold and cannot be deleted; set its status to archived instead.',
      ),
  )
  const reviews = await context.db.selectFrom('reviews').selectAll().where(both(ofProduct)).execute()
  await withdrawFromDiscounts(context, [product.id, ...variants.map((variant) => variant.id)])
  for (const raw of variants) {
    await deleteRow(context, PriceVariant, raw, FIRST_PLACE)
    context.emit('price_variant.deleted', PriceVariant, decode(PriceVariant, raw), { deleted: true })
  }
  for (const raw of reviews) {
    await deleteRow(context, Review, raw, FIRST_PLACE)
    context.emit('review.deleted', Review, decode(Review, raw), { deleted: true })
  }
  await deleteRow(context, Product, product)
  context.emit('product.deleted', Product, product, { deleted: true })
}

function both({ account_id, product }: { account_id: string; product: string }) {
  // biome-ignore lint/suspicious/noExplicitAny: one condition for two tables
  return (eb: any) => eb.and([eb('account_id', '=', account_id), eb('product', '=', product)])
}
