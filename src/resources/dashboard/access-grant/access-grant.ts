import { oneOf, text, timestamp } from '../../../contract/declarations/kinds.ts'
import { answerNoun, exampleId } from '../../../contract/declarations/noun.ts'

export const AccessGrant = answerNoun('access_grant', {
  group: 'Customers',
  area: 'sales',
  description: 'A customer’s access from a purchase.',
  listOrder: 'longest-lasting first, then newest first',
  fields: {
    product: text('Id of the product', { example: exampleId('prod') }),
    product_name: text('Name of the product', { example: 'Ruby Handbook' }),
    price_variant: text('Id of the price that was bought', { example: exampleId('price') }),
    order: text('Id of the order that granted it', { example: exampleId('ord') }),
    subscription: text('Id of the subscription it depends on', { example: exampleId('sub') }).nullable('bought once'),
    status: oneOf(['active', 'ended'], 'active: can be used now'),
    starts_at: timestamp('When it began'),
    ends_at: timestamp('When it ends, or ended').nullable('no end is known'),
  },
})
