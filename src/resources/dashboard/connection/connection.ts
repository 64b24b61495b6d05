import { TOKEN_RIGHTS } from '../../../contract/declarations/caller.ts'
import { oneOf, text, timestamp } from '../../../contract/declarations/kinds.ts'
import { noun, readOnly } from '../../../contract/declarations/noun.ts'

export const Connection = noun('connection', {
  prefix: 'conn',
  group: 'Developers',
  area: 'self',
  description:
    'A program that a person authorized by signing in: it acts for that person, with the rights it was granted.',
  states: { active: ['revoke'], revoked: [] },
  hidden: {
    user_id: text('Person it acts for'),
    client_id: text('The program, as the authorization server knows it'),
    revoked_at: timestamp('When it was ended').nullable('still active'),
  },
  fields: readOnly({
    client_name: text('Name of the program, as it reports', { example: 'Claude' }),
    client_domain: text('Domain that vouches for the program', { example: 'claude.ai' }).nullable(
      'it registered itself, so its name is unverified',
    ),
    returns_to: text('Host or program that the browser returned to', { example: 'claude.ai' }),
    right: oneOf(
      TOKEN_RIGHTS,
      'write: everything the person can do; propose: read, and plan changes that a person applies; read: read only',
    ),
    allowed_by: text('E-mail address of the person when access was granted', { example: 'ada@example.com' }),
    status: oneOf(['active', 'revoked'], 'revoked: its next request is refused'),
    last_used_at: timestamp('When it last made a request, to the minute').nullable('never'),
  }),
})
