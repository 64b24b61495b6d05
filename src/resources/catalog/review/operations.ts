import { position } from '../../../contract/declarations/kinds.ts'
import { equals } from '../../../records/filters.ts'
import { NEWEST_FIRST } from '../../../records/page.ts'
import { resource } from '../../../records/resource.ts'
import { verbs } from '../../../records/verbs.ts'
import { ofProduct } from '../product/by_product.ts'
import { createReview } from './create.ts'
import { deleteReview } from './delete.ts'
import { moveReview } from './position.ts'
import { Review } from './review.ts'
import { updateReview } from './update.ts'
import { REVIEW_WORDS } from './words.ts'

const { list, create, retrieve, update, remove, action } = verbs(Review)

/** Writes take turns: each changes the figures of its product, and most move its other reviews. */
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
