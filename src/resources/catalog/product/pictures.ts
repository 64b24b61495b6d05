import type { Context } from '../../../records/context.ts'
import { findRows } from '../../../records/records.ts'
import { fileUrl } from '../../content/file/addresses.ts'
import { File } from '../../content/file/file.ts'
import { Product } from './product.ts'

/** The first picture of each product's gallery, by the product's id. Products without one are left out. */
export async function picturesOf(context: Context, productIds: readonly string[]): Promise<Map<string, string>> {
  const products = [...(await findRows(context, Product, [...productIds])).values()]
  const media = products.flatMap((product) => product.media ?? [])
  const files = await findRows(context, File, media)
  const pictures = new Map<string, string>()
  for (const { id, media: gallery } of products) {
    const picture = (gallery ?? []).flatMap((one) => files.get(one) ?? []).find(isPicture)
    const url = picture && fileUrl(context, picture)
    if (url) pictures.set(id, url)
  }
  return pictures
}

function isPicture({
  detected_type,
  content_type,
}: {
  detected_type: string | null
  content_type: string | null
}): boolean {
  return (detected_type ?? content_type ?? '').startsWith('image/')
}
