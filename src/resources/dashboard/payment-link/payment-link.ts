import { oneOf, text, timestamp } from '../../../contract/declarations/kinds.ts'
import { answerNoun, exampleId } from '../../../contract/declarations/noun.ts'

export const PaymentLink = answerNoun('payment_link', {
  group: 'Orders',
  area: 'sales',
  description: 'Where the buyer pays what could not be charged.',
  fields: {
    pays: oneOf(['subscription', 'invoice', 'order'], 'What it pays'),
    url: text('Page where the buyer pays', {
      max: 2000,
      example: `https://shop.example/checkout/${exampleId('co')}_secret_3n8p`,
    }),
    expires_at: timestamp('Until when it can be paid there').nullable('as long as it is unpaid'),
  },
})

const WHAT = { max: 200 }

/** A request must contain exactly one of these ids. */
export const UNPAID = {
  subscription: text('Subscription with an unpaid period', { ...WHAT, example: exampleId('sub') }).optional(),
  invoice: text('Invoice that is not paid', { ...WHAT, example: exampleId('inv') }).optional(),
  order: text('Order whose payment failed', { ...WHAT, example: exampleId('ord') }).optional(),
}
