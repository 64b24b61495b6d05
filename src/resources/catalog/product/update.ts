import type { Changes } from '../../../contract/declarations/noun.ts'
import type { Context } from '../../../records/context.ts'
import { changeRow } from '../../../records/records.ts'
import { requireFreeSlug } from '../../../records/slugs.ts'
import { requireReadyFiles } from '../../content/file/ready.ts'
import { Product, type ProductRow, requireWindow } from './product.ts'

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
  context.emit(Product, 'updated', changed)
  return changed
}

/** `published_at` is set on becoming active and cleared on leaving it. */
function publication(product: ProductRow, status: ProductRow['status'] | undefined, now: string): Partial<ProductRow> {
  if (status === undefined || status === product.status) return {}
  if (status === 'active') return { published_at: now }
  return product.status === 'active' ? { published_at: null } : {}
}
