import { TOKEN_RIGHTS } from '../../../contract/caller.ts'
import { oneOf, text, timestamp } from '../../../contract/kinds.ts'
import { noun } from '../../../contract/noun.ts'

const RIGHT =
  'write: everything that its user may; propose: its programs become plans, which a person applies; read: it changes nothing'

export const ApiToken = noun('api_token', {
  prefix: 'token',
  group: 'Developers',
  description: 'A key with which a program acts for the person who made it, in this account.',
  immutable: true,
  hidden: {
    user_id: text('The user it acts for'),
    right_name: oneOf(TOKEN_RIGHTS, RIGHT),
    token_hash: text('What is kept of its value'),
  },
  fields: {
    name: text('What it is for', { max: 100, example: 'My agent' }).required(),
    right: oneOf(TOKEN_RIGHTS, RIGHT).linked().default('write'),
    value: text('The token itself', { example: null }).nullable('shown by the create alone').derived(),
    last_four: text('Its last four characters', { example: 'x7Qa' }).readOnly(),
    user_name: text('Name of the person it acts for', { example: 'Ada Lovelace' }).derived(),
    user_email: text('E-mail address of the person it acts for', { example: 'ada@example.com' }).derived(),
    last_used_at: timestamp('When it was last used; noted once a minute').nullable('never').readOnly(),
  },
})
