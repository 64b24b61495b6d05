import { resource } from '../../../records/resource.ts'
import { askNotified } from './ask.ts'
import { NotificationAddress } from './notification-address.ts'

/** There are no operations, because forms name the addresses and their owners agree on a page. */
export const notificationAddresses = resource(NotificationAddress, { jobs: [askNotified] })
