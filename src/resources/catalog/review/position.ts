import type { Context } from '../../../records/context.ts'
import { movePosition } from '../../../records/positions.ts'
import { changeRow } from '../../../records/records.ts'
import { Review, type ReviewRow } from './review.ts'

export async function moveReview(
  context: Context,
  review: ReviewRow,
  { position }: { position: number },
): Promise<ReviewRow> {
  const to = await movePosition(context, Review, { product: review.product }, review.position, position)
  const moved = await changeRow(context, Review, review, { position: to })
  context.emit(Review, 'updated', moved)
  return moved
}
