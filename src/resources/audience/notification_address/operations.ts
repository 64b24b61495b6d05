import { resource } from '../../../records/resource.ts'
import { askNotified } from './ask.ts'
import { NotificationAddress } from './notification_address.ts'

/** Forms name the addresses, and their owners agree on a page: nobody else does anything with them. */
export const notificationAddresses = resource(NotificationAddress, { jobs: [askNotified] })
