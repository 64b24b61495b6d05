import { inOnePiece } from '../../../contract/values/values.ts'
import type { Context } from '../../../records/context.ts'
import { findNamed } from '../../../records/records.ts'
import type { Derived } from '../../../records/resource.ts'
import { File } from '../../content/file/file.ts'
import { galleryEntry } from '../../content/file/show.ts'
import { storefrontUrl } from '../../content/storefront_url.ts'
import { averageRating } from '../review/ratings.ts'
import type { ProductRow } from './product.ts'

export async function deriveProducts(rows: ProductRow[], context: Context): Promise<Derived[]> {
  const files = await findNamed(context, File, 'media', rows)
  const storefront = await storefrontUrl(context)
  return rows.map((row) => ({
    url: productUrl(storefront, row),
    average_rating: averageRating(row.ratings_total, row.reviews_count),
    media_gallery: (row.media ?? []).flatMap((id) => (files.has(id) ? [galleryEntry(context, files.get(id)!)] : [])),
  }))
}

/** The page of a product. `storefront` is where its shop is, without a slash at the end. */
export function productUrl(storefront: string, { slug }: { slug: string }): string {
  return inOnePiece(storefront, '/p/', slug)
}
