import { position } from '../../../contract/declarations/kinds.ts'
import { equals } from '../../../records/filters.ts'
import { NEWEST_FIRST } from '../../../records/page.ts'
import { resource } from '../../../records/resource.ts'
import { type Meant, words } from '../../../records/starting.ts'
import { verbs } from '../../../records/verbs.ts'
import { customersFound } from '../../audience/customer/found.ts'
import { ofProduct, productsFound } from '../product/found.ts'
import { Review } from './review.ts'
import { createReview, deleteReview, moveReview, updateReview } from './write.ts'

const REVIEW_WORDS = words(
  Review,
  'An id, or beginnings of words of the product’s name, or of the customer’s e-mail or name',
  async (context, given): Promise<Meant[]> => {
    if (Review.isId(given)) return [['id', [given]]]
    return [
      ['product', await productsFound(context, given)],
      ['customer', await customersFound(context, given)],
    ]
  },
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
      emits: ['review.updated'],
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
      emits: ['review.updated'],
      inTurn: true,
      rule: moveReview,
    }),
  ],
})
