import type { Changes, Row } from '../../../contract/declarations/noun.ts'
import type { Context } from '../../../records/context.ts'
import { changeRow } from '../../../records/records.ts'
import { recountReviews } from './ratings.ts'
import { Review } from './review.ts'

export async function updateReview(
  context: Context,
  review: Row<typeof Review>,
  changes: Changes<typeof Review>,
): Promise<Row<typeof Review>> {
  const changed = await changeRow(context, Review, review, changes)
  await recountReviews(context, review.product)
  context.emit(Review, 'updated', changed)
  return changed
}
