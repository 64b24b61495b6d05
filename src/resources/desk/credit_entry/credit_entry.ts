import { integer, oneOf, text } from '../../../contract/kinds.ts'
import { noun } from '../../../contract/noun.ts'

export const CreditEntry = noun('credit_entry', {
  prefix: 'cred',
  plural: 'credit_entries',
  group: 'Account',
  description: 'A change to the account’s credit balance; the balance is the sum of all changes.',
  immutable: true,
  fields: {
    kind: oneOf(
      ['opening', 'reserved', 'settled', 'returned', 'charged'],
      'opening: the first credits; reserved: set aside for work; settled: the rest was returned once the work was done; returned: all was returned; charged: spent after they had been returned',
    ).readOnly(),
    delta: integer('Change of the balance', { unit: 'credits', example: -10 }).readOnly(),
    reason: text('What the credits are spent on', { example: 'web_map' }).readOnly(),
    reference: text('Id of the item', { example: null }).nullable('none').readOnly(),
    reservation: text('Entry that this one closes', { example: null }).nullable('none').readOnly(),
    balance_after: integer('Balance after it', { min: 0, unit: 'credits', example: 990 }).readOnly(),
    run: text('Task run that spent them', { example: null }).nullable('none').readOnly(),
  },
})
