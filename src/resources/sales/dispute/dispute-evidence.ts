import { text } from '../../../contract/declarations/kinds.ts'
import { answerNoun } from '../../../contract/declarations/noun.ts'

export const DisputeEvidence = answerNoun('dispute_evidence', {
  group: 'Orders',
  area: 'sales',
  description: 'What the shop knows of a disputed sale, which is sent along with its answer.',
  fields: {
    customer_name: text('Name of the buyer', { example: 'Ada Lovelace' }).nullable('not known').byStrangers(),
    customer_email: text('E-mail address of the buyer', { example: 'ada@example.com' }),
    product: text('What was bought, for how much and when', { example: '1 × Ruby Handbook' }),
    access: text('When the buyer got it, and what shows that they did').nullable('nothing is known'),
    refund_policy: text('Refund policy of the shop').nullable('it is not published'),
  },
})
