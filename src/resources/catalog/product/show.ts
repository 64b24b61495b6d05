import { inOnePiece } from '../../../contract/values/values.ts'
import type { Context } from '../../../records/context.ts'
import { findNamed, findRows } from '../../../records/records.ts'
import type { Derived } from '../../../records/resource.ts'
import { storefrontUrl } from '../../content/domain-names.ts'
import { fileUrl } from '../../content/file/addresses.ts'
import { File } from '../../content/file/file.ts'
import { galleryEntry } from '../../content/file/show.ts'
import { averageRating } from '../review/ratings.ts'
import { Product, type ProductRow } from './product.ts'

export async function deriveProducts(rows: ProductRow[], context: Context): Promise<Derived[]> {
  const files = await findNamed(context, File, 'media', rows)
  const storefront = await storefrontUrl(context)
  return rows.map((row) => ({
    url: productUrl(storefront, row),
    average_rating: averageRating(row.ratings_total, row.reviews_count),
    media_gallery: (row.media ?? []).flatMap((id) => (files.has(id) ? [galleryEntry(context, files.get(id)!)] : [])),
  }))
}

/** Returns the URL of a product's page. `storefront` is the URL of the shop, without a trailing slash. */
export function productUrl(storefront: string, { slug }: { slug: string }): string {
  return inOnePiece(storefront, '/p/', slug)
}

/** Returns the URL of the first picture in each product's gallery, by product id. Products without one are absent. */
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
