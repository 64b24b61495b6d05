import { setTimeout as delay } from 'node:timers/promises'
import type { Context } from '../records/context.ts'
import type { Draft, Kind } from './drafts.ts'
import { type Format, isLeftOut, type Source } from './format.ts'
import { FORMATS, formatOf, leftOutOf } from './formats.ts'
import { Memory } from './memory.ts'
import { type Counts, type Item, noOutcome, type Take } from './outcome.ts'
import { shapeOf } from './reading/encoding.ts'
import { type Defaults, Reader, type Remark } from './reading/reader.ts'
import { type Columns, readTable, type TableRow, UnreadableFileError } from './reading/table.ts'
import { takeCustomers } from './taking/customers.ts'
import { takeOrders } from './taking/orders.ts'
import { takePrices, takeProducts } from './taking/products.ts'
import { takeSubscriptions } from './taking/subscriptions.ts'

/** Things of one transaction: few enough that others do not wait long for the writer. */
const PORTION = 200
/** Rows of one thing: an order with more lines is refused. */
const MOST_ROWS = 1_000
/** After each transaction others get the writer: for this part of the time that it took. */
const REST = 0.25
const MOST_REST_MS = 50

/** Where an import reads and writes: each transaction is committed by itself. */
export interface ImportPlace {
  read<Value>(work: (context: Context) => Promise<Value>): Promise<Value>
  transaction<Value>(work: (context: Context) => Promise<Value>): Promise<Value>
  /** An abort ends the import after the transaction that is under way. */
  signal: AbortSignal
}

/** A file, which is read twice. */
export interface ImportFile {
  name: string
  open(): AsyncIterable<Uint8Array>
}

export interface FileRemark extends Remark {
  file: string
  /** refused: not taken; changed: taken otherwise than written; left_out: not taken, without fault. */
  kind: 'refused' | 'changed' | 'left_out'
}

export interface FileReport extends Counts {
  file: string
  format: Format
  /** Columns that were not read: those without a place here, and those that are not of the format. */
  columns: { known: string[]; unknown: string[] }
  encoding: string
  delimiter: string
  things: number
  refused: number
  changed: number
  leftOut: number
  /** Of the bytes of the file, from 0 to 1. */
  progress: number
}

export interface ImportOptions extends Defaults {
  source: Source
  dry: boolean
  onRemark(remark: FileRemark): void
  /** Told after every transaction. */
  onProgress(report: Readonly<FileReport>): void | Promise<void>
}

/**
 * Imports files, those that others refer to first, whichever way they are given. Each thing is taken once: after an interruption the
 * same call goes on where it ended. Nothing is mailed or charged, and no event is written. In a dry run nothing is written at all.
 * Throws UnreadableFileError before anything is written where a file cannot be read or is none of the source's.
 */
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
  for (const one of opened) await naming(one.file, () => takeFile({ place, memory, options }, one))
  return opened.map(({ report }) => report)
}

interface Opened {
  file: ImportFile
  shape: Awaited<ReturnType<typeof shapeOf>>
  report: FileReport
}

function inspect(file: ImportFile, source: Source): Promise<Opened> {
  return naming(file, async () => {
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

/** What cannot be read is said with the name of the file. */
async function naming<Result>({ name }: ImportFile, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof UnreadableFileError ? new UnreadableFileError(`${name}: ${error.message}`) : error
  }
}

interface Run {
  place: ImportPlace
  memory: Memory
  options: ImportOptions
}

async function takeFile(run: Run, { file, shape, report }: Opened): Promise<void> {
  const count = { bytes: 0 }
  const { columns, rows } = await readTable(counted(file.open(), count), shape)
  let portion: Item[] = []
  for await (const things of thingsOf(rows, columns, { run, report })) {
    portion.push(...things)
    if (portion.length < PORTION) continue
    await takePortion(run, report, portion)
    portion = []
    report.progress = count.bytes / shape.bytes
    await run.options.onProgress(report)
  }
  await takePortion(run, report, portion)
  report.progress = 1
  await run.options.onProgress(report)
}

async function* counted(chunks: AsyncIterable<Uint8Array>, count: { bytes: number }): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    count.bytes += chunk.length
    yield chunk
  }
}

interface Reading {
  run: Run
  report: FileReport
}

/** One item for each thing that can be taken, none for the others. */
async function* thingsOf(
  rows: AsyncIterable<TableRow>,
  columns: Columns,
  { run, report }: Reading,
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

function itemsOf(rows: TableRow[], read: Reader, { run, report }: Reading): Item[] {
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

/** A format gives drafts of its kind alone. */
function taker<D extends Draft>(take: Take<D>): Take<Draft> {
  return take as Take<Draft>
}

const TAKERS: Record<Kind, Take<Draft>> = {
  products: taker(takeProducts),
  prices: taker(takePrices),
  customers: taker(takeCustomers),
  subscriptions: taker(takeSubscriptions),
  orders: taker(takeOrders),
}

async function takePortion({ place, memory, options }: Run, report: FileReport, items: Item[]): Promise<void> {
  place.signal.throwIfAborted()
  if (items.length === 0) return
  const take = (context: Context) => TAKERS[report.format.kind](context, memory, items)
  const began = performance.now()
  const { refused, ...counts } = await (memory.dry ? place.read(take) : place.transaction(take))
  for (const [name, count] of Object.entries(counts) as [keyof Counts, number][]) report[name] += count
  for (const refusal of refused) options.onRemark({ file: report.file, kind: 'refused', ...refusal })
  report.refused += new Set(refused.map(({ line }) => line)).size
  if (!memory.dry) await delay(Math.min((performance.now() - began) * REST, MOST_REST_MS))
}
