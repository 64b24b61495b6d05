import { flag, integer, longText, position, reference, text } from '../contract/kinds.ts'
import { type Changes, type CreateInput, noun, type Row } from '../contract/noun.ts'
import type { Context } from '../records/context.ts'
import { NEWEST_FIRST } from '../records/page.ts'
import { closePosition, movePosition, openPosition, placeOf } from '../records/positions.ts'
import { changeRow, deleteRow, insertRow, requireRow } from '../records/records.ts'
import { resource } from '../records/resource.ts'
import type { TableOf } from '../records/tables.ts'
import { equals, verbs } from '../records/verbs.ts'
import { Customer } from './customer.ts'
import { ofProduct } from './product/filter.ts'
import { Product } from './product.ts'
import { recountReviews } from './review/ratings.ts'

export const Review = noun('review', {
  prefix: 'rev',
  tag: 'Reviews',
  description: 'What a buyer says about a product.',
  events: ['created', 'updated', 'deleted'],
  fields: {
    product: reference('product', 'Id of the product; a body takes the slug too', 'prod_…')
      .required()
      .createOnly()
      .expandable(),
    rating: integer('Stars, 1 to 5', { min: 1, max: 5, example: 5 }).required(),
    customer_name: text('Who wrote it; taken from the customer when one is given', {
      max: 200,
      example: 'Ada L.',
    }).nullable(),
    customer: reference('customer', 'Id of the customer who wrote it', 'cus_…').nullable().createOnly().expandable(),
    content: longText('What was written', 5000, 'Worth every cent.').nullable(),
    published: flag('Whether buyers see it; only published reviews count', true).default(true),
    position: integer('Place within the product, from 1', { min: 1, example: 1 }).readOnly(),
  },
})

declare module '../records/tables.ts' {
  interface Tables {
    reviews: TableOf<typeof Review>
  }
}

type ReviewRow = Row<typeof Review>

const { list, create, retrieve, update, remove, action } = verbs(Review)

export const reviews = resource(Review, {
  operations: [
    list({
      summary: 'List reviews',
      about: 'By position when `product` is given, else newest first.',
      order: (query) => (query.product === undefined ? NEWEST_FIRST : { key: 'position', direction: 'asc' }),
      filters: {
        product: ofProduct,
        rating: equals(Review, 'rating', 'Exactly this many stars'),
        published: equals(Review, 'published', 'Whether buyers see it'),
      },
    }),
    create({
      summary: 'Add a review to a product',
      about: 'A new review takes position 1.',
      emits: ['review.created'],
      run: createReview,
    }),
    retrieve({ summary: 'Show one review' }),
    update({ summary: 'Change a review', emits: ['review.updated'], run: changeReview }),
    remove({ summary: 'Delete a review', emits: ['review.deleted'], run: deleteReview }),
    action('position', {
      summary: 'Move a review to another place',
      about: 'Shifts the others so that positions stay 1 to the count without gaps.',
      body: {
        position: position('The new place within the product, from 1; beyond the end means last').required(),
      },
      emits: ['review.updated'],
      run: moveReview,
    }),
  ],
})

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
  context.emit('review.created', Review, review)
  return review
}

async function changeReview(context: Context, review: ReviewRow, changes: Changes<typeof Review>): Promise<ReviewRow> {
  const changed = await changeRow(context, Review, review, changes)
  await recountReviews(context, review.product)
  context.emit('review.updated', Review, changed, { before: review })
  return changed
}

export async function deleteReview(context: Context, review: ReviewRow): Promise<void> {
  const siblings = { product: review.product }
  await deleteRow(context, Review, review, await placeOf(context, Review, siblings, review.position))
  await closePosition(context, Review, siblings, review.position)
  await recountReviews(context, review.product)
  context.emit('review.deleted', Review, review, { deleted: true })
}

async function moveReview(context: Context, review: ReviewRow, { position }: { position: number }): Promise<ReviewRow> {
  const to = await movePosition(context, Review, { product: review.product }, review.position, position)
  const moved = await changeRow(context, Review, review, { position: to })
  context.emit('review.updated', Review, moved, { before: review })
  return moved
}
