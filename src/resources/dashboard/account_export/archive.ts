import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import type { JobPlace } from '../../../records/job.ts'
import { rowsAfter } from '../../../records/table-page.ts'
import type { ExportPart } from './parts.ts'

/** Rows that are held at a time: the longest are of a few hundred kilobytes. */
const PAGE_ROWS = 50

export interface Progress {
  parts: number
  rows: number
}

interface Contents {
  parts: readonly ExportPart[]
  /** Told after every page. */
  onProgress(progress: Progress): Promise<void>
}

/** The bytes of a ZIP file with a file of JSON Lines for each part, made no faster than they are read. */
export function archiveOf(place: JobPlace, about: object, { parts, onProgress }: Contents): Readable {
  const zip = new ZipFile()
  const output = zip.outputStream as Readable
  zip.on('error', (error: Error) => output.destroy(error))
  // Errors reach the reader; after that, nobody needs them.
  output.on('error', () => {})
  const progress = { parts: 0, rows: 0 }
  zip.addBuffer(Buffer.from(`${JSON.stringify(about, null, 2)}\n`), 'export.json')
  for (const part of parts)
    zip.addReadStreamLazy(`${part.table}.jsonl`, (give) => {
      const lines = Readable.from(linesOf(place, part, progress, onProgress), { objectMode: false })
      lines.on('error', (error: Error) => output.destroy(error))
      give(null, lines)
    })
  zip.end()
  return output
}

async function* linesOf(
  place: JobPlace,
  part: ExportPart,
  progress: Progress,
  onProgress: Contents['onProgress'],
): AsyncGenerator<string> {
  let after: Record<string, unknown> | null = null
  for (;;) {
    place.signal.throwIfAborted()
    const last: typeof after = after
    const page = await place.read(async (context) => {
      const rows = await rowsAfter(context, part, last, PAGE_ROWS)
      const end = rows.at(-1)
      const next = end ? Object.fromEntries(part.key.map((column) => [column, end[column]])) : null
      return { next, lines: rows.map((row) => JSON.stringify(part.shown(row, context))) }
    })
    if (page.lines.length > 0) yield `${page.lines.join('\n')}\n`
    progress.rows += page.lines.length
    if (page.lines.length < PAGE_ROWS) progress.parts += 1
    await onProgress(progress)
    if (page.lines.length < PAGE_ROWS) return
    after = page.next
  }
}
