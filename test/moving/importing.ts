import { createReadStream } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Source } from '../../src/features/importing/formats/format.ts'
import {
  type FileRemark,
  type FileReport,
  type ImportFile,
  runImport,
} from '../../src/features/importing/importers/run.ts'
import type { Shop } from '../support/shop.ts'

export interface Imported {
  /** By the name of the file. */
  reports: Record<string, FileReport>
  /** `file:line column kind message`. */
  remarks: string[]
}

interface Options {
  dry?: boolean
  currency?: string
  timeZone?: string
  signal?: AbortSignal
  onProgress?: (report: Readonly<FileReport>) => void
}

/** Imports files into a shop, as the command does. */
export async function importInto(
  { running, accountId }: Shop,
  source: Source,
  files: ImportFile[],
  { dry = false, currency = 'usd', timeZone = 'UTC', signal, onProgress = () => {} }: Options = {},
): Promise<Imported> {
  const { visits } = running.app.pipeline
  const caller = { kind: 'provider', accountId, provider: 'operator' } as const
  const remarks: FileRemark[] = []
  const reports = await runImport(
    {
      read: (work) => visits.look(caller, work),
      transaction: (work) => visits.act(caller, [], work),
      signal: signal ?? new AbortController().signal,
    },
    files,
    { source, dry, currency, timeZone, onRemark: (remark) => remarks.push(remark), onProgress },
  )
  return {
    reports: Object.fromEntries(reports.map((report) => [report.file, report])),
    remarks: remarks.map(({ file, line, column, kind, message }) => `${file}:${line} ${column} ${kind}: ${message}`),
  }
}

/** A file of this folder. */
export function sample(name: string): ImportFile {
  const path = fileURLToPath(new URL(`./files/${name}.csv`, import.meta.url))
  return { name, open: () => createReadStream(path) }
}

/** A file of these bytes, in small pieces. */
export function fileOf(name: string, text: string | Uint8Array, piece = 1_000): ImportFile {
  const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text
  return {
    name,
    async *open() {
      for (let at = 0; at < bytes.length; at += piece) yield bytes.subarray(at, at + piece)
    },
  }
}
