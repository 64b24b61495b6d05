import type { Row } from '../../../contract/declarations/noun.ts'
import type { Context } from '../../../records/context.ts'
import { movePosition } from '../../../records/positions.ts'
import { changeRow } from '../../../records/records.ts'
import { Review } from './review.ts'

export async function moveReview(
  context: Context,
  review: Row<typeof Review>,
  { position }: { position: number },
): Promise<Row<typeof Review>> {
  const to = await movePosition(context, Review, { product: review.product }, review.position, position)
  const moved = await changeRow(context, Review, review, { position: to })
  context.emit(Review, 'updated', moved)
  return moved
}
