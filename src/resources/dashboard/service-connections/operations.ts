import { custom } from '../../../records/custom.ts'
import { resource } from '../../../records/resource.ts'
import { ServiceConnections } from './service-connections.ts'
import { showConnections } from './show.ts'

export const serviceConnections = resource(ServiceConnections, {
  dashboard: [
    custom({
      id: 'retrieve_service_connections',
      method: 'GET',
      path: '/service_connections',
      summary: 'Show what reaches outside, and what is missing',
      answers: ServiceConnections,
      rule: showConnections,
    }),
  ],
})
