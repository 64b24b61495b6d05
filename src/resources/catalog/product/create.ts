import type { CreateInput, Row } from '../../../contract/noun.ts'
import type { Context } from '../../../records/context.ts'
import { insertRow } from '../../../records/records.ts'
import { freeSlug, requireFreeSlug } from '../../../records/slugs.ts'
import { requireReadyFiles } from '../../content/file/ready.ts'
import { Product } from './product.ts'
import { requireWindow } from './window.ts'

export async function createProduct(
  context: Context,
  input: CreateInput<typeof Product>,
): Promise<Row<typeof Product>> {
  requireWindow(input)
  if (input.slug !== undefined) await requireFreeSlug(context, Product, input.slug)
  const product = await insertRow(context, Product, {
    ...input,
    slug: input.slug ?? (await freeSlug(context, Product, input.name)),
    media: input.media ? await requireReadyFiles(context, input.media, 'media') : [],
    published_at: input.status === 'active' ? context.now : null,
    reviews_count: 0,
  })
  context.emit(Product, 'created', product)
  return product
}
