import { ROLES } from '../../../contract/declarations/caller.ts'
import { oneOf, text, timestamp } from '../../../contract/declarations/kinds.ts'
import { answerNoun } from '../../../contract/declarations/noun.ts'

export const TestAccount = answerNoun('test_account', {
  group: 'Account',
  area: 'self',
  description: 'An account for testing: its payments are never real, and its clock can be moved forward.',
  listOrder: 'oldest first',
  fields: {
    id: text('Id of the account', { example: 'acct_…' }),
    name: text('Name of the shop', { max: 100, example: 'Rehearsal' }),
    subdomain: text('Name of the shop in addresses', { max: 63, example: 'rehearsal' }),
    role: oneOf(ROLES, 'The caller’s role in it'),
    clock: timestamp('Current time of its clock'),
    state: oneOf(
      ['running', 'requested', 'moving', 'lost'],
      'running: runs normally; requested: about to be moved; moving: on its way to `target`; lost: the server that moved it has stopped, move it again',
    ),
    target: timestamp('Time the clock is moving to').nullable('it runs normally'),
    created_at: timestamp('When it was created, by its clock'),
  },
})
