import { ROLES } from '../../../contract/declarations/caller.ts'
import { email, flag, oneOf, text, timestamp } from '../../../contract/declarations/kinds.ts'
import { noun } from '../../../contract/declarations/noun.ts'

export const ROLE_MEANING =
  'viewer: reads; support: orders, customers, limited refunds; editor: products, content, social; admin: everything except owners, exports and deleting the account; owner: everything; member: everyday work, a role that is no longer offered'

export const Invitation = noun('invitation', {
  prefix: 'invite',
  group: 'Members',
  area: 'people',
  description: 'An invitation to join the account, sent by e-mail. It is removed once accepted.',
  fields: {
    email: email('Address that it goes to').required().createOnly(),
    role: oneOf(ROLES, ROLE_MEANING).createOnly().default('viewer'),
    invited_by: text('Id of the user who sent it', { example: 'user_01k9z6v8q2f3x7c5m1n4b0r8ta' }).readOnly(),
    expires_at: timestamp('When its link expires').readOnly(),
    expired: flag('Whether its link has expired').derived(),
  },
})
