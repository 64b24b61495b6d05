import type { Row } from '../../../contract/noun.ts'
import { inOnePiece } from '../../../contract/values.ts'
import type { Context } from '../../../records/context.ts'
import { findRows } from '../../../records/records.ts'
import type { Derived } from '../../../records/resource.ts'
import { File } from '../../content/file/file.ts'
import { galleryEntry } from '../../content/file/show.ts'
import { averageRating } from '../review/ratings.ts'
import type { Product } from './product.ts'

export async function deriveProducts(rows: Row<typeof Product>[], context: Context): Promise<Derived[]> {
  const files = await findRows(
    context,
    File,
    rows.flatMap((row) => row.media ?? []),
  )
  return rows.map((row) => ({
    url: inOnePiece(context.publicUrl, '/p/', row.slug),
    average_rating: averageRating(row.ratings_total, row.reviews_count),
    media_gallery: (row.media ?? []).flatMap((id) => (files.has(id) ? [galleryEntry(files.get(id)!)] : [])),
  }))
}
