import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import { currentTimestamp, laterBy } from '../../../contract/values/values.ts'
import { FileTooLargeError } from '../../../providers/files/provider.ts'
import type { Context, Enqueueable } from '../../../records/context.ts'
import { dueJob, type JobContext, type JobType, job } from '../../../records/job.ts'
import { changeRow, findRow } from '../../../records/records.ts'
import { removeBytes } from '../../content/file/settle.ts'
import { AccountExport, type AccountExportRow } from './account-export.ts'
import { archiveKey } from './download.ts'
import { aboutExport, type ExportPart, jsonLines, pagesOf, type Read } from './parts.ts'

const ATTEMPTS = 3
const JOB_MS = 30 * 60 * 1000
const MOST_BYTES = 20_000_000_000
const KEPT_MS = 7 * 24 * 60 * 60 * 1000
const PROGRESS_MS = 1_000

export const EXPORT_JOB: Enqueueable<{ export: string }> = { name: 'export_account' }

export function exportJob(parts: readonly ExportPart[]): JobType<{ export: string }> {
  return job(EXPORT_JOB.name, {
    timeoutMs: JOB_MS,
    attempts: ATTEMPTS,
    async work(job, { export: id }) {
      const row = await job.transaction((context) => begin(context, id, parts.length))
      if (!row) return
      try {
        await settle(job, id, await write(job, row, parts))
      } catch (error) {
        if (error instanceof FileTooLargeError) return fail(job, id, error.message)
        if (job.attempt < ATTEMPTS || job.signal.aborted) throw error
        await fail(job, id, 'The archive could not be written. Start a new export.')
      }
    },
  })
}

export const expireExport = dueJob<{ export: string }>('expire_account_export', {
  async work(context, { export: id }) {
    const row = await findRow(context, AccountExport, id)
    if (row?.status !== 'ready') return
    await changeRow(context, AccountExport, row, { status: 'expired' })
    await discardArchive(context, row)
  },
})

/** Removes the bytes of an archive after the commit. */
export async function discardArchive(context: Context, row: AccountExportRow): Promise<void> {
  if (row.store !== null) await context.enqueue(removeBytes, { store: row.store, key: archiveKey(row) })
}

async function begin(context: Context, id: string, partsTotal: number): Promise<AccountExportRow | null> {
  const row = await findRow(context, AccountExport, id)
  if (!row || (row.status !== 'pending' && row.status !== 'running')) return null
  const store = context.services.files.current.name
  const blank = { parts_done: 0, parts_total: partsTotal, rows_done: 0 }
  return changeRow(context, AccountExport, row, { status: 'running', store, ...blank })
}

/** Writes the archive and returns its size in bytes. Deletes what an earlier attempt wrote first. */
async function write(job: JobContext, row: AccountExportRow, parts: readonly ExportPart[]): Promise<number> {
  const store = job.services.files.named(row.store!)
  await store.remove(archiveKey(row))
  const about = await job.read((context) => aboutExport(context, parts, { atOneMoment: false }))
  const archive = archiveOf(job, about, { parts, onProgress: progressOf(job, row.id) })
  try {
    return await store.write(archiveKey(row), archive, { maxBytes: MOST_BYTES, signal: job.signal })
  } finally {
    archive.destroy()
  }
}

function progressOf(job: JobContext, id: string) {
  let last = performance.now()
  return async ({ parts, rows }: ExportProgress) => {
    if (performance.now() - last < PROGRESS_MS) return
    last = performance.now()
    await job.transaction((context) => storeProgress(context, id, { parts_done: parts, rows_done: rows }))
  }
}

async function storeProgress(
  context: Context,
  id: string,
  changes: Partial<AccountExportRow>,
): Promise<AccountExportRow | null> {
  const row = await findRow(context, AccountExport, id)
  return row ? changeRow(context, AccountExport, row, changes) : null
}

function settle(job: JobContext, id: string, size: number): Promise<void> {
  return job.finish(async (context) => {
    const row = await findRow(context, AccountExport, id)
    if (!row) return
    const ready_at = currentTimestamp()
    const expires_at = laterBy(ready_at, KEPT_MS)
    const all = { parts_done: row.parts_total }
    await changeRow(context, AccountExport, row, { status: 'ready', size, ready_at, expires_at, ...all })
    await context.enqueue(expireExport, { export: id }, { runAt: expires_at, inRealTime: true })
  })
}

function fail(job: JobContext, id: string, message: string): Promise<void> {
  return job.finish(async (context) => {
    await storeProgress(context, id, { status: 'failed', error_message: message })
  })
}

interface ExportProgress {
  parts: number
  rows: number
}

interface ArchiveContents {
  parts: readonly ExportPart[]
  onProgress(progress: ExportProgress): Promise<void>
}

/** Streams a ZIP archive with one JSON Lines file for each part, as fast as the reader takes it. */
function archiveOf(job: JobContext, about: object, { parts, onProgress }: ArchiveContents): Readable {
  const zip = new ZipFile()
  const output = zip.outputStream as Readable
  zip.on('error', (error: Error) => output.destroy(error))
  // The reader receives the first error; this listener keeps later ones from crashing the process.
  output.on('error', () => {})
  const progress = { parts: 0, rows: 0 }
  zip.addBuffer(Buffer.from(`${JSON.stringify(about, null, 2)}\n`), 'export.json')
  for (const part of parts)
    zip.addReadStreamLazy(`${part.table}.jsonl`, (give) => {
      const lines = Readable.from(linesOf(job, part, progress, onProgress), { objectMode: false })
      lines.on('error', (error: Error) => output.destroy(error))
      give(null, lines)
    })
  zip.end()
  return output
}

async function* linesOf(
  job: JobContext,
  part: ExportPart,
  progress: ExportProgress,
  onProgress: ArchiveContents['onProgress'],
): AsyncGenerator<string> {
  for await (const { rows, isLast } of pagesOf(readOf(job), part)) {
    if (rows.length > 0) yield jsonLines(rows)
    progress.rows += rows.length
    if (isLast) progress.parts += 1
    await onProgress(progress)
  }
}

function readOf(job: JobContext): Read {
  return (work) => {
    job.signal.throwIfAborted()
    return job.read(work)
  }
}
