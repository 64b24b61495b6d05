import { resource } from '../../../records/resource.ts'
import { askNotified } from './ask.ts'
import { NotificationAddress } from './notification-address.ts'

/** Has no operations: forms name the addresses, and their owners agree on a page. */
export const notificationAddresses = resource(NotificationAddress, { jobs: [askNotified] })
