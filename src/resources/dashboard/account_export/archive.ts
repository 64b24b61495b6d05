import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import type { JobPlace } from '../../../records/job.ts'
import { jsonLines, pagesOf, type Read } from './pages.ts'
import type { ExportPart } from './parts.ts'

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
  for await (const { rows, isLast } of pagesOf(readOf(place), part)) {
    if (rows.length > 0) yield jsonLines(rows)
    progress.rows += rows.length
    if (isLast) progress.parts += 1
    await onProgress(progress)
  }
}

function readOf(place: JobPlace): Read {
  return (work) => {
    place.signal.throwIfAborted()
    return place.read(work)
  }
}
