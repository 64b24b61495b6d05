import type { Noun } from '../../../contract/declarations/noun.ts'
import type { Context } from '../../../records/context.ts'
import { custom } from '../../../records/custom.ts'
import { requireRow } from '../../../records/records.ts'
import { resource } from '../../../records/resource.ts'
import { verbs } from '../../../records/verbs.ts'
import { AccountExport, type AccountExportRow } from './account-export.ts'
import { downloadUrl } from './download.ts'
import { expireExport, exportJob } from './jobs.ts'
import { exportParts } from './parts.ts'
import { createExport, deleteExport } from './write.ts'

const { list, create, remove } = verbs(AccountExport)

/** Owners must be signed in, because an export contains everything in the account. */
const OWNERS = { callers: ['session'] } as const

export function accountExports(nouns: readonly Noun[]) {
  return resource(AccountExport, {
    derive: (rows) => rows.map((row) => ({ download_url: 'download_url' in row ? row.download_url : null })),
    jobs: [exportJob(exportParts([...nouns, AccountExport])), expireExport],
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
