import type { Changes, CreateInput } from '../../../contract/declarations/noun.ts'
import type { Context } from '../../../records/context.ts'
import { closePosition, movePosition, openPosition, placeOf } from '../../../records/positions.ts'
import { changeRow, deleteRow, insertRow, requireRow } from '../../../records/records.ts'
import { Customer } from '../../audience/customer/customer.ts'
import { Product } from '../product/product.ts'
import { recountReviews } from './ratings.ts'
import { Review, type ReviewRow } from './review.ts'

export async function createReview(context: Context, input: CreateInput<typeof Review>): Promise<ReviewRow> {
  const product = await requireRow(context, Product, input.product, 'product')
  const customer = input.customer ? await requireRow(context, Customer, input.customer, 'customer') : null
  await openPosition(context, Review, { product: product.id }, 1)
  const review = await insertRow(context, Review, {
    ...input,
    product: product.id,
    customer_name: input.customer_name ?? customer?.name ?? null,
    position: 1,
  })
  await recountReviews(context, product.id)
  context.emit(Review, 'created', review)
  return review
}

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

export async function deleteReview(context: Context, review: ReviewRow): Promise<void> {
  const siblings = { product: review.product }
  await deleteRow(context, Review, review, await placeOf(context, Review, siblings, review.position))
  await closePosition(context, Review, siblings, review.position)
  await recountReviews(context, review.product)
  context.emit(Review, 'deleted', review)
}
