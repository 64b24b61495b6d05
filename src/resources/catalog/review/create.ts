import type { CreateInput } from '../../../contract/declarations/noun.ts'
import type { Context } from '../../../records/context.ts'
import { openPosition } from '../../../records/positions.ts'
import { insertRow, requireRow } from '../../../records/records.ts'
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
