import type { AnswerOf } from '../../../contract/declarations/noun.ts'
import type { Context } from '../../../records/context.ts'
import { custom } from '../../../records/custom.ts'
import { resource } from '../../../records/resource.ts'
import { rowsOf } from '../../../records/rows-of.ts'
import { StorageUse } from './storage-use.ts'

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

/** Shows a new measurement if that is quick enough for a page, otherwise the last one. */
async function showStorageUse(context: Context): Promise<AnswerOf<typeof StorageUse>> {
  const { storage } = context.services
  await storage.refresh(context.accountId)
  const rows = await rowsOf(context, 'storage_usage').selectAll().orderBy('bytes', 'desc').execute()
  return {
    limit_bytes: storage.limitBytes,
    outsider_bytes: Math.floor(storage.outsiderBytes),
    used_bytes: rows.reduce((sum, { bytes }) => sum + bytes, 0),
    measured_at: rows[0]?.measured_at ?? null,
    kinds: rows
      .filter(({ table_name }) => table_name !== '')
      .map(({ table_name: kind, bytes, row_count }) => ({ kind, bytes, rows: row_count })),
  }
}
