import { ApiError } from '../../../contract/declarations/errors.ts'
import type { Context } from '../../../records/context.ts'
import { deleteRow } from '../../../records/records.ts'
import { AccountExport, type AccountExportRow } from './account_export.ts'
import { discardArchive } from './jobs.ts'

/** Deletes an export with its bytes. One that is being written is left alone until it is. */
export async function deleteExport(context: Context, row: AccountExportRow): Promise<void> {
  if (row.status === 'running')
    throw new ApiError('invalid_state', 'The export is in progress. Delete it once it is ready.')
  await deleteRow(context, AccountExport, row)
  await discardArchive(context, row)
}
