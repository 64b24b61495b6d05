import { resource } from '../../../records/resource.ts'
import { publishDelivery } from './publish.ts'
import { SocialDelivery } from './social_delivery.ts'

export const socialDeliveries = resource(SocialDelivery, { jobs: [publishDelivery] })
