import { ROLES } from '../../../contract/declarations/caller.ts'
import { flag, oneOf, text, timestamp } from '../../../contract/declarations/kinds.ts'
import { answerNoun } from '../../../contract/declarations/noun.ts'

export const ROLE_MEANING =
  'viewer: reads; support: orders, customers, limited refunds; editor: products, content, social; admin: everything except owners, exports and deleting the account; owner: everything; member: everyday work, a role that is no longer offered'

export const Member = answerNoun('member', {
  group: 'Members',
  area: 'account',
  description: 'A member of the account.',
  listOrder: 'in the order they joined',
  fields: {
    id: text('Id of the user', { example: 'user_01k9z6v8q2f3x7c5m1n4b0r8ta' }),
    name: text('Name of the person', { example: 'Ada Lovelace' }),
    email: text('E-mail address used to sign in', { example: 'ada@example.com' }),
    email_verified: flag('Whether the address is proven to be the person’s'),
    role: oneOf(ROLES, ROLE_MEANING),
    self: flag('Whether it is the caller'),
    joined_at: timestamp('When the person joined'),
  },
})
