import { email, timestamp } from '../../../contract/declarations/kinds.ts'
import { noun } from '../../../contract/declarations/noun.ts'

export const NotificationAddress = noun('notification_address', {
  prefix: 'notify',
  plural: 'notification_addresses',
  group: 'Forms',
  description: 'An address that forms of the account name for notifications, and whether its owner has agreed.',
  immutable: true,
  fields: {
    address: email('The address'),
    confirmed_at: timestamp('When its owner confirmed it').nullable('not claimed yet'),
    expires_at: timestamp('When its link expires').nullable('it was used'),
  },
})
