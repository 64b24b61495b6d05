import { flag, integer, longText, reference, text } from '../../../contract/kinds.ts'
import { noun } from '../../../contract/noun.ts'

export const Review = noun('review', {
  prefix: 'rev',
  group: 'Reviews',
  description: 'The rating of a product by a buyer, with or without words.',
  events: ['created', 'updated', 'deleted'],
  listOrder: 'by position when filtered by product, else newest first',
  fields: {
    product: reference('product', 'Product that it rates; a body takes its id or slug', 'prod_…')
      .required()
      .createOnly()
      .expandable(),
    rating: integer('Rating', { min: 1, max: 5, unit: 'stars', example: 5 }).required(),
    customer_name: text('Name of the writer. Absent on create: the name of the customer, where one is given', {
      max: 200,
      example: 'Ada L.',
    }).nullable('anonymous'),
    customer: reference('customer', 'Customer who wrote it', 'cus_…')
      .nullable('none given, or deleted since')
      .createOnly()
      .expandable(),
    content: longText('Text of the review', 5000, 'Worth every cent.').nullable('rating only'),
    published: flag('Whether buyers see it and it counts in the figures of the product', true).default(true),
    position: integer('Place among the reviews of the product, from 1; set by POST /reviews/{id}/position', {
      min: 1,
      example: 1,
    }).readOnly(),
  },
})
