import type { Changes } from '../../../contract/declarations/noun.ts'
import type { Context } from '../../../records/context.ts'
import { changeRow } from '../../../records/records.ts'
import { recountReviews } from './ratings.ts'
import { Review, type ReviewRow } from './review.ts'

export async function updateReview(
  context: Context,
  review: ReviewRow,
  changes: Changes<typeof Review>,
): Promise<ReviewRow> {
  const changed = await changeRow(context, Review, review, changes)
  await recountReviews(context, review.product)
  context.emit(Review, 'updated', changed)
  return changed
}
