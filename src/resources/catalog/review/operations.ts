import { integer } from '../../../contract/kinds.ts'
import { equals } from '../../../records/filters.ts'
import { NEWEST_FIRST } from '../../../records/page.ts'
import { resource } from '../../../records/resource.ts'
import { verbs } from '../../../records/verbs.ts'
import { ofProduct } from '../product/filter.ts'
import { createReview } from './create.ts'
import { deleteReview } from './delete.ts'
import { moveReview } from './position.ts'
import { Review } from './review.ts'
import { updateReview } from './update.ts'

const { list, create, retrieve, update, remove, action } = verbs(Review)

export const reviews = resource(Review, {
  operations: [
    list({
      summary: 'List reviews',
      order: (query) => (query.product === undefined ? NEWEST_FIRST : { key: 'position', direction: 'asc' }),
      withoutRanges: ['position'],
      filters: {
        product: ofProduct,
        rating: equals(Review, 'rating'),
        customer: equals(Review, 'customer', 'Id of the customer who wrote it'),
        published: equals(Review, 'published', 'Whether buyers see it'),
      },
    }),
    create({
      summary: 'Add a review to a product',
      description: 'A new review takes position 1; the others move down by one.',
      emits: ['review.created', 'review.updated'],
      rule: createReview,
    }),
    retrieve({ summary: 'Show one review' }),
    update({ summary: 'Change a review', emits: ['review.updated'], rule: updateReview }),
    remove({
      summary: 'Delete a review',
      description: 'The reviews behind it move up by one.',
      emits: ['review.deleted', 'review.updated'],
      rule: deleteReview,
    }),
    action('position', {
      summary: 'Move a review to another place',
      description:
        'Shifts the reviews between the old and the new place by one, so that positions run from 1 to the count without gaps. A position beyond the end means last.',
      body: {
        position: integer('The new place within the product, from 1', { min: 1, example: 1 }).required().lenient(),
      },
      emits: ['review.updated'],
      rule: moveReview,
    }),
  ],
})
