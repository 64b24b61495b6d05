import type { CreateInput } from '../../../contract/declarations/noun.ts'
import type { Context } from '../../../records/context.ts'
import { insertWithSlug } from '../../../records/slugs.ts'
import { requireReadyFiles } from '../../content/file/ready.ts'
import { Product, type ProductRow, requireWindow } from './product.ts'

export async function createProduct(context: Context, input: CreateInput<typeof Product>): Promise<ProductRow> {
  requireWindow(input)
  const values = {
    ...input,
    media: input.media ? await requireReadyFiles(context, input.media, 'media') : [],
    published_at: input.status === 'active' ? context.now : null,
    reviews_count: 0,
  }
  const product = await insertWithSlug(context, Product, values, input.name)
  context.emit(Product, 'created', product)
  return product
}
