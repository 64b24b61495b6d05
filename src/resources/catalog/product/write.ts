import type { Changes, CreateInput } from '../../../contract/declarations/noun.ts'
import { decode } from '../../../records/columns.ts'
import type { Context } from '../../../records/context.ts'
import { FIRST_PLACE } from '../../../records/positions.ts'
import { changeRow, deleteRow } from '../../../records/records.ts'
import { rowsOf } from '../../../records/rows-of.ts'
import { insertWithSlug, requireFreeSlug } from '../../../records/slugs.ts'
import { requireReadyFiles } from '../../content/file/show.ts'
import { withdrawFromLinks } from '../../sales/checkout-link/withdraw.ts'
import { withdrawFromDiscounts } from '../discount/write.ts'
import { PriceVariant } from '../price-variant/price-variant.ts'
import { requireUnused } from '../price-variant/write.ts'
import { Review } from '../review/review.ts'
import { Product, type ProductRow, requireWindow } from './product.ts'

export async function createProduct(context: Context, input: CreateInput<typeof Product>): Promise<ProductRow> {
  requireWindow(input)
  const values = {
    ...input,
    media: input.media ? await requireReadyFiles(context, input.media, 'media') : [],
    published_at: input.status === 'active' ? context.now : null,
    reviews_count: 0,
  }
  return context.emit(Product, 'created', await insertWithSlug(context, Product, values, input.name))
}

export async function updateProduct(
  context: Context,
  product: ProductRow,
  changes: Changes<typeof Product>,
): Promise<ProductRow> {
  requireWindow({ ...product, ...changes })
  if (changes.slug !== undefined) await requireFreeSlug(context, Product, changes.slug, product.id)
  const changed = await changeRow(context, Product, product, {
    ...changes,
    ...(changes.media && { media: await requireReadyFiles(context, changes.media, 'media') }),
    ...publication(product, changes.status, context.now),
  })
  return context.emit(Product, 'updated', changed)
}

/** Sets `published_at` when the product becomes active, and clears it when it stops being active. */
function publication(product: ProductRow, status: ProductRow['status'] | undefined, now: string): Partial<ProductRow> {
  if (status === undefined || status === product.status) return {}
  if (status === 'active') return { published_at: now }
  return product.status === 'active' ? { published_at: null } : {}
}

/** Deletes an unused product with its prices and reviews. */
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
