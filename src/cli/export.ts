import { createWriteStream } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline as pipe } from 'node:stream/promises'
import { PRODUCT } from '../assembly.ts'
import { copyDatabase, databasePath } from '../database/copies.ts'
import { counted } from '../format/counts.ts'
import { fileKey } from '../resources/content/file/addresses.ts'
import { CSV_FILES } from '../resources/dashboard/account-export/csv.ts'
import { aboutExport, jsonLines, pagesOf, type Read } from '../resources/dashboard/account-export/parts.ts'
import { exportedParts } from '../resources/dashboard.ts'
import type { ShopDatabase } from '../resources/tables.ts'
import { readSettings, type Settings } from '../settings/config.ts'
import { UsageError } from './exit-codes.ts'
import { requireFolderFor } from './files.ts'
import { onlyAccount } from './only-account.ts'
import { readOptions, refuseWords } from './options.ts'
import type { Terminal } from './terminal.ts'
import { withDatabase } from './with-database.ts'
import { type Shop, withPipelineOn } from './with-pipeline.ts'

export const USAGE = `Exports everything of an account as files, as it is at one moment, whether or not a server is running.

  npm run export -- DIRECTORY [--account ACCOUNT] [--without-files]

  DIRECTORY            a new directory, or an empty one
  --account ACCOUNT    the id or subdomain of the account, where there are several
  --without-files      leaves out the bytes of files

It holds data/*.jsonl with every resource, csv/*.csv with products, customers, subscriptions and orders, which npm run import
takes again, and files/ with the bytes of files. Secrets are left out.`

const OPTIONS = { account: 'the id or subdomain of an account' }

interface ExportRequest {
  settings: Settings
  directory: string
  accountId: string
  withoutFiles: boolean
}

export async function run(terminal: Terminal): Promise<number> {
  const { words, options, flags } = readOptions(terminal.args, OPTIONS, USAGE, ['without-files'])
  const [name, ...more] = words
  if (name === undefined) throw new UsageError('Name the directory to write.', USAGE)
  refuseWords(more, USAGE)
  const settings = readSettings(terminal.environment)
  const { id: accountId } = await withDatabase(settings, (database) => onlyAccount(database, options.account))
  const directory = await emptyDirectory(terminal, name)
  const request = { settings, directory, accountId, withoutFiles: flags.has('without-files') }
  const { rows, files, missing } = await atOneMoment(settings, { account: accountId, directory }, (database) =>
    withPipelineOn(database, settings, (open) => write(open, request)),
  )
  terminal.print(`Wrote ${counted(rows, 'row')} and ${counted(files, 'file')} to ${directory}.`)
  if (missing > 0)
    terminal.complain(`${counted(missing, 'file')} had no bytes in the store; they are in data/files.jsonl.`)
  return 0
}

async function emptyDirectory(terminal: Terminal, name: string): Promise<string> {
  const path = await requireFolderFor(terminal, name)
  await mkdir(path, { recursive: true, mode: 0o700 }).catch(() => {
    throw new UsageError(`${path} is a file, not a directory: choose another location.`)
  })
  if ((await readdir(path)).length > 0) throw new UsageError(`${path} is not empty: choose another location.`)
  return path
}

/** Calls `work` with a consistent snapshot: a PostgreSQL transaction, or a temporary copy of the embedded database in `directory`. */
async function atOneMoment<Result>(
  settings: Settings,
  { account, directory }: { account: string; directory: string },
  work: (database: ShopDatabase) => Promise<Result>,
): Promise<Result> {
  if (settings.DATABASE_URL !== undefined)
    return withDatabase(settings, async (database) => {
      const moment = database.program({ account })
      try {
        return await work(Object.create(database, { read: { value: moment.read } }))
      } finally {
        await moment.rollback()
      }
    })
  const copies = await mkdtemp(join(directory, '.moment-'))
  try {
    await copyDatabase(settings.DATA_DIR, databasePath(copies))
    return await withDatabase({ ...settings, DATA_DIR: copies }, work)
  } finally {
    await rm(copies, { recursive: true, force: true })
  }
}

interface ExportCounts {
  rows: number
  files: number
  missing: number
}

async function write({ pipeline }: Shop, request: ExportRequest): Promise<ExportCounts> {
  const { directory, accountId } = request
  const caller = { kind: 'provider', accountId, provider: 'operator' } as const
  const read: Read = (work) => pipeline.visits.look(caller, work)
  const parts = exportedParts([...PRODUCT.shop, ...PRODUCT.dashboard], PRODUCT.features)
  await Promise.all(['data', 'csv', 'files'].map((name) => mkdir(join(directory, name))))
  const written = { rows: 0, files: 0, missing: 0 }
  for (const part of parts) {
    const lines = async function* () {
      for await (const { rows } of pagesOf(read, part)) {
        written.rows += rows.length
        yield jsonLines(rows)
      }
    }
    await writeText(join(directory, 'data', `${part.table}.jsonl`), lines())
  }
  for (const [name, rows] of Object.entries(CSV_FILES))
    await writeText(join(directory, 'csv', `${name}.csv`), rows(read))
  if (!request.withoutFiles) await writeFiles(read, directory, written)
  const about = await read((context) => aboutExport(context, parts, { atOneMoment: true }))
  await writeFile(join(directory, 'export.json'), `${JSON.stringify(about, null, 2)}\n`)
  return written
}

function writeText(path: string, text: AsyncGenerator<string>): Promise<void> {
  return pipe(Readable.from(text), createWriteStream(path, { mode: 0o600 }))
}

/** File names may repeat, so each file is written to a folder that has the file's id as its name. */
async function writeFiles(read: Read, directory: string, written: ExportCounts): Promise<void> {
  const part = { table: 'files', key: ['id'], shown: (row: Record<string, unknown>) => row }
  for await (const { rows } of pagesOf(read, part))
    for (const { id: given, store, filename } of rows) {
      if (typeof store !== 'string') continue
      const id = String(given)
      const bytes = await read(({ services, accountId }) =>
        services.files.named(store).read(fileKey({ account_id: accountId, id })),
      )
      if (bytes === null) {
        written.missing += 1
        continue
      }
      const folder = join(directory, 'files', id)
      await mkdir(folder)
      await pipe(Readable.from(bytes), createWriteStream(join(folder, basename(String(filename ?? id)))))
      written.files += 1
    }
}
