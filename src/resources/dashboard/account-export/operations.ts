import { isUser } from '../../../contract/declarations/caller.ts'
import { ApiError } from '../../../contract/declarations/errors.ts'
import type { Context } from '../../../records/context.ts'
import { custom } from '../../../records/custom.ts'
import { deleteRow, insertRow, requireRow } from '../../../records/records.ts'
import { resource } from '../../../records/resource.ts'
import { deleteRowsOf, rowsOf } from '../../../records/rows-of.ts'
import { verbs } from '../../../records/verbs.ts'
import { AccountExport, type AccountExportRow } from './account-export.ts'
import { downloadUrl } from './download.ts'
import { discardArchive, EXPORT_JOB, expireExport, exportJob } from './jobs.ts'
import type { ExportPart } from './parts.ts'

const MOST_KEPT = 3

const { list, create, remove } = verbs(AccountExport)

/** Owners must be signed in, because an export contains everything in the account. */
const OWNERS = { callers: ['session'] } as const

/** Returns the resource for exports that contain the given parts. */
export function accountExports(parts: readonly ExportPart[]) {
  return resource(AccountExport, {
    derive: (rows) => rows.map((row) => ({ download_url: 'download_url' in row ? row.download_url : null })),
    jobs: [exportJob(parts), expireExport],
    dashboard: [
      list({ summary: 'List the exports of the account', ...OWNERS }),
      custom({
        id: 'retrieve_account_export',
        method: 'GET',
        path: '/account_exports/{id}',
        summary: 'Show an export, with its URL while it is ready',
        answers: AccountExport,
        ...OWNERS,
        rule: (context, { path }) => withAddress(context, path.id),
      }),
      create({
        summary: 'Export everything in the account',
        ...OWNERS,
        evenWhenFull: true,
        rule: (context) => createExport(context),
      }),
      remove({ summary: 'Delete an export', ...OWNERS, rule: deleteExport }),
    ],
  })
}

async function withAddress(context: Context, id: string): Promise<AccountExportRow> {
  const row = await requireRow(context, AccountExport, id)
  return row.status === 'ready' ? Object.assign(row, { download_url: downloadUrl(context, id) }) : row
}

/** Creates an export and deletes the expired and failed ones. A job writes the archive. */
async function createExport(context: Context): Promise<AccountExportRow> {
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

async function deleteExport(context: Context, row: AccountExportRow): Promise<void> {
  if (row.status === 'running')
    throw new ApiError('invalid_state', 'The export is in progress. Delete it once it is ready.')
  await deleteRow(context, AccountExport, row)
  await discardArchive(context, row)
}
