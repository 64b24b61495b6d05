import { flag, integer, longText, reference, text } from '../../../contract/declarations/kinds.ts'
import { noun, type Row } from '../../../contract/declarations/noun.ts'

export const Review = noun('review', {
  prefix: 'rev',
  group: 'Reviews',
  area: 'products',
  description: 'A buyer’s rating of a product, with or without text.',
  events: ['created', 'updated', 'deleted'],
  listOrder: 'by position when filtered by product, else newest first',
  fields: {
    product: reference('product', 'Product that it rates. Written as its id or slug', 'prod_…')
      .required()
      .createOnly()
      .expandable(),
    rating: integer('Rating', { min: 1, max: 5, unit: 'stars', example: 5 }).required(),
    customer_name: text('Name of the reviewer. Default on create: the name of the customer, if given', {
      max: 200,
      example: 'Ada L.',
    })
      .nullable('anonymous')
      .byStrangers(),
    customer: reference('customer', 'Customer who wrote it', 'cus_…')
      .nullable('none given, or deleted')
      .createOnly()
      .expandable(),
    content: longText('Text of the review', 5000, 'Worth every cent.').nullable('rating only').byStrangers(),
    published: flag('Whether buyers see it and it counts toward the product’s rating', true).default(true),
    position: integer('Place among the product’s reviews, from 1; set by POST /reviews/{id}/position', {
      min: 1,
      example: 1,
    }).readOnly(),
  },
})

export type ReviewRow = Row<typeof Review>
