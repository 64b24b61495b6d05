import { flag, integer, longText, reference, text } from '../../../contract/kinds.ts'
import { noun } from '../../../contract/noun.ts'

export const Review = noun('review', {
  prefix: 'rev',
  group: 'Reviews',
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
