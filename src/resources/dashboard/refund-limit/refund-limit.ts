import { currency, money } from '../../../contract/declarations/kinds.ts'
import { answerNoun } from '../../../contract/declarations/noun.ts'

export const RefundLimit = answerNoun('refund_limit', {
  group: 'Members',
  area: 'settings',
  description: 'What people with the role support may refund on one order in a currency, all of them together.',
  listOrder: 'by currency',
  fields: {
    currency: currency('Currency of the orders'),
    amount: money('The most that they refund on one order', { min: 0, example: 5000 }),
  },
})
