import { custom } from '../../../records/custom.ts'
import { resource } from '../../../records/resource.ts'
import { showStorageUse } from './show.ts'
import { StorageUse } from './storage_use.ts'

export const storageUse = resource(StorageUse, {
  desk: [
    custom({
      id: 'retrieve_storage_use',
      method: 'GET',
      path: '/storage_use',
      summary: 'Show what the records of the account take',
      answers: StorageUse,
      rule: showStorageUse,
    }),
  ],
})
