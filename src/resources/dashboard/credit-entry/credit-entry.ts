import { integer, oneOf, text } from '../../../contract/declarations/kinds.ts'
import { noun, readOnly } from '../../../contract/declarations/noun.ts'

export const CreditEntry = noun('credit_entry', {
  prefix: 'cred',
  plural: 'credit_entries',
  group: 'Account',
  area: 'account',
  description: 'A change to the account’s credit balance; the balance is the sum of all changes.',
  immutable: true,
  hidden: { counted: text('JSON: the tokens and the day that the credits count for').nullable('no caps') },
  fields: readOnly({
    kind: oneOf(
      ['opening', 'granted', 'added', 'reserved', 'settled', 'returned', 'charged'],
      'opening: the first credits; granted: those of a month; added: given by the operator; reserved: set aside for work; settled: the rest came back once the work was done; returned: all came back; charged: spent after they had come back',
    ),
    delta: integer('Change of the balance', { unit: 'credits', example: -10 }),
    reason: text('What the credits are for', { example: 'web_map' }),
    reference: text('Id of the item', { example: null }).nullable('none'),
    reservation: text('Entry that this one closes', { example: null }).nullable('none'),
    balance_after: integer('Balance after it', { min: 0, unit: 'credits', example: 990 }),
    run: text('Task run that spent them', { example: null }).nullable('none'),
  }),
})
