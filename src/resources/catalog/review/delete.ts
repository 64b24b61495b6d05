import type { Context } from '../../../records/context.ts'
import { closePosition, placeOf } from '../../../records/positions.ts'
import { deleteRow } from '../../../records/records.ts'
import { recountReviews } from './ratings.ts'
import { Review, type ReviewRow } from './review.ts'

export async function deleteReview(context: Context, review: ReviewRow): Promise<void> {
  const siblings = { product: review.product }
  await deleteRow(context, Review, review, await placeOf(context, Review, siblings, review.position))
  await closePosition(context, Review, siblings, review.position)
  await recountReviews(context, review.product)
  context.emit(Review, 'deleted', review)
}
