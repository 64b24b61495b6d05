import { TOKEN_RIGHTS } from '../../../contract/caller.ts'
import { oneOf, text, timestamp } from '../../../contract/kinds.ts'
import { noun } from '../../../contract/noun.ts'

export const Connection = noun('connection', {
  prefix: 'conn',
  group: 'Developers',
  description:
    'A program that somebody has let into the account by signing in: it acts for that person, with the right it was given.',
  states: { active: ['revoke'], revoked: [] },
  hidden: {
    user_id: text('The person whom it acts for'),
    client_id: text('The program, as the authorization server knows it'),
    revoked_at: timestamp('When it was ended').nullable('still active'),
  },
  fields: {
    client_name: text('What the program calls itself', { example: 'Claude' }).readOnly(),
    client_domain: text('Domain that vouches for the program', { example: 'claude.ai' })
      .nullable('it has registered itself, so that its name proves nothing')
      .readOnly(),
    returns_to: text('Host or program that the browser was sent back to', { example: 'claude.ai' }).readOnly(),
    right: oneOf(
      TOKEN_RIGHTS,
      'write: everything that the person may do; propose: read, and plan changes that a person applies; read: read alone',
    ).readOnly(),
    allowed_by: text('E-mail address of the person, when it was allowed', { example: 'ada@example.com' }).readOnly(),
    status: oneOf(['active', 'revoked'], 'revoked: its next request is refused').readOnly(),
    last_used_at: timestamp('When it last made a request, give or take a minute').nullable('never').readOnly(),
  },
})
