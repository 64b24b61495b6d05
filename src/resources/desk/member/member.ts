import { ROLES } from '../../../contract/caller.ts'
import { flag, oneOf, text, timestamp } from '../../../contract/kinds.ts'
import { answerNoun } from '../../../contract/noun.ts'

/** What each role may do, for people who give one. */
export const ROLE_MEANING =
  'owner: everything; admin: everything but what concerns owners, payments and the end of the account; member: the work of every day'

export const Member = answerNoun('member', {
  group: 'Members',
  description: 'A person who works in the account.',
  listOrder: 'in the order in which they joined',
  fields: {
    id: text('Id of the user', { example: 'user_01k9z6v8q2f3x7c5m1n4b0r8ta' }),
    name: text('Name of the person', { example: 'Ada Lovelace' }),
    email: text('E-mail address with which the person signs in', { example: 'ada@example.com' }),
    email_verified: flag('Whether the address is proven to be the person’s'),
    role: oneOf(ROLES, ROLE_MEANING),
    self: flag('Whether it is the caller'),
    joined_at: timestamp('When the person joined'),
  },
})
