import { integer, oneOf, text } from '../../../contract/declarations/kinds.ts'
import { noun } from '../../../contract/declarations/noun.ts'

export const CreditEntry = noun('credit_entry', {
  prefix: 'cred',
  plural: 'credit_entries',
  group: 'Account',
  area: 'account',
  description: 'A change to the account’s credit balance; the balance is the sum of all changes.',
  immutable: true,
  hidden: { counted: text('JSON: the tokens and the day that the credits count for').nullable('no caps') },
  fields: {
    kind: oneOf(
      ['opening', 'granted', 'added', 'reserved', 'settled', 'returned', 'charged'],
      'opening: the first credits; granted: those of a month; added: given by the operator; reserved: set aside for work; settled: the rest came back once the work was done; returned: all came back; charged: spent after they had come back',
    ).readOnly(),
    delta: integer('Change of the balance', { unit: 'credits', example: -10 }).readOnly(),
    reason: text('What the credits are for', { example: 'web_map' }).readOnly(),
    reference: text('Id of the item', { example: null }).nullable('none').readOnly(),
    reservation: text('Entry that this one closes', { example: null }).nullable('none').readOnly(),
    balance_after: integer('Balance after it', { min: 0, unit: 'credits', example: 990 }).readOnly(),
    run: text('Task run that spent them', { example: null }).nullable('none').readOnly(),
  },
})
