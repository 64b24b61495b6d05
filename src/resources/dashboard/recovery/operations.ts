import { custom } from '../../../records/custom.ts'
import { resource } from '../../../records/resource.ts'
import { Recovery } from './recovery.ts'
import { showRecovery } from './show.ts'

export const recoveries = resource(Recovery, {
  dashboard: [
    custom({
      id: 'retrieve_recovery',
      method: 'GET',
      path: '/recovery',
      summary: 'Show the money at risk and what was recovered',
      answers: Recovery,
      rule: showRecovery,
    }),
  ],
})
