import { custom } from '../../../records/custom.ts'
import { resource } from '../../../records/resource.ts'
import { ServiceConnections } from './service-connections.ts'
import { type ShowConnected, showConnections } from './show.ts'

/** Returns the resource for the external services of the core and of features. */
export function serviceConnections(ofFeatures: readonly ShowConnected[]) {
  return resource(ServiceConnections, {
    dashboard: [
      custom({
        id: 'retrieve_service_connections',
        method: 'GET',
        path: '/service_connections',
        summary: 'Show what reaches outside, and what is missing',
        answers: ServiceConnections,
        rule: (context) => showConnections(context, ofFeatures),
      }),
    ],
  })
}
