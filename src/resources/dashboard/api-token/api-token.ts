import { ROLES, TOKEN_RIGHTS } from '../../../contract/declarations/caller.ts'
import { flag, oneOf, text, timestamp } from '../../../contract/declarations/kinds.ts'
import { noun, type Row } from '../../../contract/declarations/noun.ts'

const RIGHT =
  'write: everything its user can do; propose: its programs become plans that a person applies; read: read only'

const ROLE = 'Role that it is limited to, now and when its user’s role changes'

export const ApiToken = noun('api_token', {
  prefix: 'token',
  group: 'Developers',
  area: 'self',
  description: 'A key that lets a program act for the person who created it, in this account.',
  immutable: true,
  hidden: {
    user_id: text('User it acts for'),
    right_name: oneOf(TOKEN_RIGHTS, RIGHT),
    role_name: oneOf(ROLES, ROLE).nullable(),
    token_hash: text('Hash of its value'),
    unlimited: flag('Made by a command on its own data, to which no rate limit applies').default(false),
  },
  fields: {
    name: text('Purpose of the token', { max: 100, example: 'My agent' }).required(),
    right: oneOf(TOKEN_RIGHTS, RIGHT).linked().default('write'),
    role: oneOf(ROLES, ROLE).nullable('all that its user may').linked(),
    value: text('The token itself', { example: null }).nullable('shown only on creation').derived(),
    last_four: text('Its last four characters', { example: 'x7Qa' }).readOnly(),
    user_name: text('Name of the person it acts for', { example: 'Ada Lovelace' }).derived(),
    user_email: text('E-mail address of the person it acts for', { example: 'ada@example.com' }).derived(),
    last_used_at: timestamp('When it was last used, to the minute').nullable('never').readOnly(),
  },
})

export type ApiTokenRow = Row<typeof ApiToken>
