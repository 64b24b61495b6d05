import { setTimeout as delay } from 'node:timers/promises'
import { keysOf } from '../../../contract/values/keys.ts'
import { replacing } from '../../../errors.ts'
import type { Context } from '../../../records/context.ts'
import { type Draft, type Format, isLeftOut, type Kind, type Source } from '../formats/format.ts'
import { FORMATS, formatOf, leftOutOf } from '../formats/formats.ts'
import { shapeOf } from '../formats/reading/encoding.ts'
import { type Defaults, Reader, type Remark } from '../formats/reading/reader.ts'
import { type Columns, readTable, type TableRow, UnreadableFileError } from '../formats/reading/table.ts'
import { takeCustomers } from './customers.ts'
import { type Counts, type Item, Memory, noOutcome, type Take } from './memory.ts'
import { takePrices, takeProducts } from './products.ts'
import { takeOrders, takeSubscriptions } from './sales.ts'

/** The number of objects per transaction, small enough that other writers do not wait long. */
const OBJECTS_PER_TRANSACTION = 200
/** The maximum number of rows per object. An order with more rows is refused. */
const MOST_ROWS = 1_000
/** The pause after each transaction, as a fraction of its duration, so that other writers get a chance. */
const PAUSE_SHARE = 0.25
const MOST_PAUSE_MS = 50

/** The functions with which an import reads and writes. Each transaction is committed separately. */
export interface ImportPlace {
  read<Value>(work: (context: Context) => Promise<Value>): Promise<Value>
  transaction<Value>(work: (context: Context) => Promise<Value>): Promise<Value>
  /** An abort ends the import after the current transaction. */
  signal: AbortSignal
}

/** A file to import. It is read twice: once to detect its format, once for its rows. */
export interface ImportFile {
  name: string
  open(): AsyncIterable<Uint8Array>
}

export interface FileRemark extends Remark {
  file: string
  /** `refused`: not imported; `changed`: imported with a change; `left_out`: skipped, but without an error. */
  kind: 'refused' | 'changed' | 'left_out'
}

export interface FileReport extends Counts {
  file: string
  format: Format
  /** Columns that were not imported: known ones that this service cannot store, and unknown ones. */
  columns: { known: string[]; unknown: string[] }
  encoding: string
  delimiter: string
  things: number
  refused: number
  changed: number
  leftOut: number
  /** The processed fraction of the file's bytes, from 0 to 1. */
  progress: number
}

export interface ImportOptions extends Defaults {
  source: Source
  dry: boolean
  onRemark(remark: FileRemark): void
  onProgress(report: Readonly<FileReport>): void | Promise<void>
}

/** Imports each object once, so that the same call resumes an interrupted import. Throws UnreadableFileError before the first write. */
export async function runImport(
  place: ImportPlace,
  files: readonly ImportFile[],
  options: ImportOptions,
): Promise<FileReport[]> {
  const opened = []
  for (const file of files) opened.push(await inspect(file, options.source))
  const order = FORMATS[options.source]
  opened.sort((one, other) => order.indexOf(one.report.format) - order.indexOf(other.report.format))
  const memory = new Memory(options.source, options)
  for (const one of opened) await withFileName(one.file, () => takeFile({ place, memory, options }, one))
  return opened.map(({ report }) => report)
}

interface InspectedFile {
  file: ImportFile
  shape: Awaited<ReturnType<typeof shapeOf>>
  report: FileReport
}

function inspect(file: ImportFile, source: Source): Promise<InspectedFile> {
  return withFileName(file, async () => {
    const shape = await shapeOf(file.open())
    const { columns, rows } = await readTable(file.open(), shape)
    await rows.return(undefined)
    const format = formatOf(source, columns)
    const { refused: _, ...counts } = noOutcome()
    const blank = { things: 0, refused: 0, changed: 0, leftOut: 0, progress: 0, ...counts }
    const { encoding, delimiter } = shape
    const about = { format, columns: leftOutOf(format, columns), encoding, delimiter }
    return { file, shape, report: { file: file.name, ...about, ...blank } }
  })
}

function withFileName<Result>({ name }: ImportFile, work: () => Promise<Result>): Promise<Result> {
  const named = ({ message }: UnreadableFileError) => new UnreadableFileError(`${name}: ${message}`)
  return work().catch(replacing(UnreadableFileError, named))
}

interface ImportRun {
  place: ImportPlace
  memory: Memory
  options: ImportOptions
}

async function takeFile(run: ImportRun, { file, shape, report }: InspectedFile): Promise<void> {
  const count = { bytes: 0 }
  const { columns, rows } = await readTable(counted(file.open(), count), shape)
  let portion: Item[] = []
  for await (const things of thingsOf(rows, columns, { run, report })) {
    portion.push(...things)
    if (portion.length < OBJECTS_PER_TRANSACTION) continue
    await importBatch(run, report, portion)
    portion = []
    report.progress = count.bytes / shape.bytes
    await run.options.onProgress(report)
  }
  await importBatch(run, report, portion)
  report.progress = 1
  await run.options.onProgress(report)
}

async function* counted(chunks: AsyncIterable<Uint8Array>, count: { bytes: number }): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    count.bytes += chunk.length
    yield chunk
  }
}

interface FileImport {
  run: ImportRun
  report: FileReport
}

/** Yields a list for each object: with one item if it can be imported, otherwise empty. */
async function* thingsOf(
  rows: AsyncIterable<TableRow>,
  columns: Columns,
  { run, report }: FileImport,
): AsyncGenerator<Item[]> {
  const { format } = report
  const reader = () => new Reader(columns, run.options)
  let group: TableRow[] = []
  let key: string | undefined
  for await (const row of rows) {
    const own = format.key(row, reader())
    if (group.length > 0 && own !== key) {
      yield itemsOf(group, reader(), { run, report })
      group = []
    }
    key = own
    if (group.length <= MOST_ROWS) group.push(row)
  }
  if (group.length > 0) yield itemsOf(group, reader(), { run, report })
}

function itemsOf(rows: TableRow[], read: Reader, { run, report }: FileImport): Item[] {
  const { file, format } = report
  const say = (kind: FileRemark['kind'], remark: Remark) => run.options.onRemark({ file, kind, ...remark })
  const [first, ...others] = rows
  if (!first) return []
  report.things += 1
  if (others.length >= MOST_ROWS) read.refuse(first, format.needs[0] ?? '', `has more than ${MOST_ROWS} rows`)
  const draft = format.draft([first, ...others], read)
  for (const problem of read.problems) say('refused', problem)
  if (draft === null || read.problems.length > 0) {
    report.refused += 1
    return []
  }
  if (isLeftOut(draft)) {
    report.leftOut += 1
    say('left_out', { line: first.line, column: '', value: '', message: draft.leftOut })
    return []
  }
  for (const note of read.notes) say('changed', note)
  if (read.notes.length > 0) report.changed += 1
  return [{ line: first.line, draft }]
}

/** The importers with widened types. This is safe because a format only creates drafts of its own kind. */
const TAKERS = {
  products: takeProducts,
  prices: takePrices,
  customers: takeCustomers,
  subscriptions: takeSubscriptions,
  orders: takeOrders,
} as Record<Kind, Take<Draft>>

async function importBatch({ place, memory, options }: ImportRun, report: FileReport, items: Item[]): Promise<void> {
  place.signal.throwIfAborted()
  if (items.length === 0) return
  const take = (context: Context) => TAKERS[report.format.kind](context, memory, items)
  const began = performance.now()
  const { refused, ...counts } = await (memory.dry ? place.read(take) : place.transaction(take))
  for (const name of keysOf(counts)) report[name] += counts[name]
  for (const refusal of refused) options.onRemark({ file: report.file, kind: 'refused', ...refusal })
  report.refused += new Set(refused.map(({ line }) => line)).size
  if (!memory.dry) await delay(Math.min((performance.now() - began) * PAUSE_SHARE, MOST_PAUSE_MS))
}
