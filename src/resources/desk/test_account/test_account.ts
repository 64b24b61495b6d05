import { oneOf, text, timestamp } from '../../../contract/kinds.ts'
import { answerNoun } from '../../../contract/noun.ts'

export const TestAccount = answerNoun('test_account', {
  group: 'Account',
  description: 'An account for rehearsals: its payments are never real, and its clock can be moved forward.',
  listOrder: 'oldest first',
  fields: {
    id: text('Id of the account', { example: 'acct_…' }),
    name: text('Name of the shop', { max: 100, example: 'Rehearsal' }),
    subdomain: text('Name of the shop in addresses', { max: 63, example: 'rehearsal' }),
    role: oneOf(['owner', 'admin', 'member'], 'Role of the caller in it'),
    clock: timestamp('What its clock shows'),
    state: oneOf(
      ['running', 'requested', 'moving', 'lost'],
      'running: the clock goes as time does; requested: it will be moved at once; moving: it is on its way to `target`; lost: the server that moved it has stopped, move it again',
    ),
    target: timestamp('Where the clock is on its way to').nullable('it goes as time does'),
    created_at: timestamp('When it was created, by its clock'),
  },
})
