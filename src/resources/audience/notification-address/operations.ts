import { resource } from '../../../records/resource.ts'
import { askNotified } from './ask.ts'
import { NotificationAddress } from './notification-address.ts'

/** A resource without operations: forms name the addresses, and the owners of the addresses agree on a page. */
export const notificationAddresses = resource(NotificationAddress, { jobs: [askNotified] })
