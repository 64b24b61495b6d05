import { z } from 'zod'
import { ROLES } from '../../../contract/declarations/caller.ts'
import { email, flag, structure, text, timestamp } from '../../../contract/declarations/kinds.ts'
import { noun } from '../../../contract/declarations/noun.ts'

const roles = z.array(z.enum(ROLES))

export const User = noun('user', {
  prefix: 'user',
  group: 'Me',
  area: 'account',
  description: 'A member of the account.',
  gist: 'you',
  immutable: true,
  hidden: {
    email_verified: flag(
      'Whether the address is proven: a link that was mailed there was used, or the operator says so',
    ),
    updated_at: timestamp('When name or address last changed').nullable('never'),
  },
  fields: {
    name: text('Name of the person', { max: 100, example: 'Ada Lovelace' }).readOnly(),
    email: email('E-mail address used to sign in').readOnly(),
    roles: structure('array', roles, 'Roles in this account', ['owner']).derived(),
  },
})
