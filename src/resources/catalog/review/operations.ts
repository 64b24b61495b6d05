import { position } from '../../../contract/declarations/kinds.ts'
import type { Changes, CreateInput } from '../../../contract/declarations/noun.ts'
import type { Context } from '../../../records/context.ts'
import { equals } from '../../../records/filters.ts'
import { NEWEST_FIRST } from '../../../records/page.ts'
import { closePosition, movePosition, openPosition, placeOf } from '../../../records/positions.ts'
import { changeRow, deleteRow, insertRow, requireRow } from '../../../records/records.ts'
import { resource } from '../../../records/resource.ts'
import { words } from '../../../records/search-filter.ts'
import { verbs } from '../../../records/verbs.ts'
import { Customer } from '../../audience/customer/customer.ts'
import { customersFound } from '../../audience/customer/found.ts'
import { Product } from '../product/product.ts'
import { ofProduct, productsFound } from '../product/queries.ts'
import { recountReviews } from './ratings.ts'
import { Review, type ReviewRow } from './review.ts'

async function createReview(context: Context, input: CreateInput<typeof Review>): Promise<ReviewRow> {
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
  return context.emit(Review, 'created', review)
}

async function moveReview(context: Context, review: ReviewRow, { position }: { position: number }): Promise<ReviewRow> {
  const to = await movePosition(context, Review, { product: review.product }, review.position, position)
  return context.emit(Review, 'updated', await changeRow(context, Review, review, { position: to }))
}

async function updateReview(context: Context, review: ReviewRow, changes: Changes<typeof Review>): Promise<ReviewRow> {
  const changed = await changeRow(context, Review, review, changes)
  await recountReviews(context, review.product)
  return context.emit(Review, 'updated', changed)
}

async function deleteReview(context: Context, review: ReviewRow): Promise<void> {
  const siblings = { product: review.product }
  await deleteRow(context, Review, review, await placeOf(context, Review, siblings, review.position))
  await closePosition(context, Review, siblings, review.position)
  await recountReviews(context, review.product)
  context.emit(Review, 'deleted', review)
}

const REVIEW_WORDS = words(
  Review,
  'An id, or beginnings of words of the product’s name, or of the customer’s e-mail or name',
  async (context, given) => [
    ['product', await productsFound(context, given)],
    ['customer', await customersFound(context, given)],
  ],
)

const { list, create, retrieve, update, remove, action } = verbs(Review)

/** Writing operations run one at a time, because each updates the product's rating and most shift its other reviews. */
export const reviews = resource(Review, {
  operations: [
    list({
      summary: 'List reviews',
      description: 'Includes unpublished reviews.',
      order: (query) => (query.product === undefined ? NEWEST_FIRST : { key: 'position', direction: 'asc' }),
      withoutRanges: ['position'],
      filters: {
        product: ofProduct,
        query: REVIEW_WORDS,
        rating: equals(Review, 'rating'),
        customer: equals(Review, 'customer', 'Only reviews by the customer of this id'),
        published: equals(Review, 'published', 'Only published ones, or only unpublished ones'),
      },
    }),
    create({
      summary: 'Add a review to a product',
      description:
        'Added at position 1; the product’s other reviews move down by one. Updates reviews_count and average_rating of the product, without product.updated.',
      emits: ['review.created', 'review.updated'],
      inTurn: true,
      rule: createReview,
    }),
    retrieve({ summary: 'Show one review' }),
    update({
      summary: 'Change or publish a review',
      description: 'Updates reviews_count and average_rating of the product, without product.updated.',
      inTurn: true,
      rule: updateReview,
    }),
    remove({
      summary: 'Delete a review',
      description:
        'Later reviews move up by one. Updates reviews_count and average_rating of the product, without product.updated.',
      emits: ['review.deleted', 'review.updated'],
      inTurn: true,
      rule: deleteReview,
    }),
    action('position', {
      summary: 'Move a review to another place',
      description: 'Shifts the reviews in between by one, so that positions have no gaps.',
      body: {
        position: position('Place among the product’s reviews, from 1; beyond the end means last').required(),
      },
      inTurn: true,
      rule: moveReview,
    }),
  ],
})
