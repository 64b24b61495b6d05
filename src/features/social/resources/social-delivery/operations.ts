import { resource } from '../../../../records/resource.ts'
import { publishDelivery } from './publish.ts'
import { SocialDelivery } from './social-delivery.ts'

export const socialDeliveries = resource(SocialDelivery, { jobs: [publishDelivery] })
