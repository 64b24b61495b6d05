import { custom } from '../../../records/custom.ts'
import { resource } from '../../../records/resource.ts'
import { showStorageUse } from './show.ts'
import { StorageUse } from './storage_use.ts'

export const storageUse = resource(StorageUse, {
  dashboard: [
    custom({
      id: 'retrieve_storage_use',
      method: 'GET',
      path: '/storage_use',
      summary: 'Show how much storage the account uses',
      answers: StorageUse,
      rule: showStorageUse,
    }),
  ],
})
