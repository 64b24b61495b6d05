import { isUser } from '../../../contract/declarations/caller.ts'
import { ApiError } from '../../../contract/declarations/errors.ts'
import type { Context } from '../../../records/context.ts'
import { deleteRow, insertRow } from '../../../records/records.ts'
import { deleteRowsOf, rowsOf } from '../../../records/rows-of.ts'
import { AccountExport, type AccountExportRow } from './account-export.ts'
import { discardArchive, EXPORT_JOB } from './jobs.ts'

const MOST_KEPT = 3

/** Creates an export and deletes the expired and failed ones. A job writes the archive. */
export async function createExport(context: Context): Promise<AccountExportRow> {
  await deleteRowsOf(context, 'account_exports').where('status', 'in', ['expired', 'failed']).execute()
  const kept = await rowsOf(context, 'account_exports').select('status').execute()
  if (kept.some(({ status }) => status === 'pending' || status === 'running'))
    throw refused('An export is already in progress. Wait for it to finish.')
  if (kept.length >= MOST_KEPT) throw refused(`At most ${MOST_KEPT} exports are kept. Delete one first.`)
  const { caller } = context
  const row = await insertRow(context, AccountExport, {
    status: 'pending',
    requested_by: isUser(caller) ? caller.userId : '',
    parts_done: 0,
    parts_total: 0,
    rows_done: 0,
  })
  await context.enqueue(EXPORT_JOB, { export: row.id })
  return row
}

function refused(message: string): ApiError {
  return new ApiError('invalid_state', message)
}

export async function deleteExport(context: Context, row: AccountExportRow): Promise<void> {
  if (row.status === 'running')
    throw new ApiError('invalid_state', 'The export is in progress. Delete it once it is ready.')
  await deleteRow(context, AccountExport, row)
  await discardArchive(context, row)
}
