import { oneOf, text, timestamp } from '../../../contract/kinds.ts'
import { answerNoun, exampleId } from '../../../contract/noun.ts'

export const AccessGrant = answerNoun('access_grant', {
  group: 'Customers',
  description: 'What a customer may use because of a purchase.',
  listOrder: 'those that last first, and the newest of them',
  fields: {
    product: text('Id of the product', { example: exampleId('prod') }),
    product_name: text('Name of the product', { example: 'Ruby Handbook' }),
    price_variant: text('Id of the price that was bought', { example: exampleId('price') }),
    order: text('Id of the order that gave it', { example: exampleId('ord') }),
    subscription: text('Id of the subscription that it lasts with', { example: exampleId('sub') }).nullable(
      'bought once',
    ),
    status: oneOf(['active', 'ended'], 'active: it can be used now'),
    starts_at: timestamp('When it began'),
    ends_at: timestamp('When it ends, or ended').nullable('no end is known'),
  },
})
