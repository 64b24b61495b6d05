import { Readable } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import { type Shape, textOf } from './encoding.ts'

/** Characters of one row: the longest have the description of a product. */
const MOST_ROW = 2_000_000
const MOST_COLUMNS = 1_000

/** A file that cannot be read on; `message` says from which line, and why. */
export class UnreadableFileError extends Error {
  override name = 'UnreadableFileError'
}

/** The names of a table's columns, and where each is; spelling differs in case and blanks. */
export class Columns {
  /** As the file has them. */
  readonly names: readonly string[]
  readonly #places: ReadonlyMap<string, number>

  constructor(names: readonly string[]) {
    this.names = names
    const places = names.map((name, place) => [plain(name), place] as const)
    // Of two columns with one name, the first counts.
    this.#places = new Map(places.toReversed())
  }

  place(name: string): number | undefined {
    return this.#places.get(plain(name))
  }

  has(name: string): boolean {
    return this.#places.has(plain(name))
  }
}

/** What a name is compared by. */
export function plain(name: string): string {
  return name.trim().replaceAll(/\s+/g, ' ').toLowerCase()
}

/** One row of a table. */
export interface TableRow {
  /** Where it begins in the file, from 1. */
  line: number
  cells: readonly string[]
}

/** Reads a file of CSV: its columns first, then row after row. Throws UnreadableFileError. */
export async function readTable(
  chunks: AsyncIterable<Uint8Array>,
  { encoding, delimiter }: Pick<Shape, 'encoding' | 'delimiter'>,
): Promise<{ columns: Columns; rows: AsyncGenerator<TableRow> }> {
  const parser = parse({ delimiter, info: true, relax_column_count: true, max_record_size: MOST_ROW })
  const text = Readable.from(textOf(chunks, encoding))
  text.on('error', (error) => parser.destroy(error))
  text.pipe(parser)
  const all = rowsOf(parser)
  const first = await all.next()
  if (first.done) throw new UnreadableFileError('The file is empty: its first line has to name its columns.')
  const names = first.value.cells.map((name) => name.trim())
  if (names.length > MOST_COLUMNS) throw new UnreadableFileError(`The file has more than ${MOST_COLUMNS} columns.`)
  return { columns: new Columns(names), rows: all }
}

interface Parsed {
  record: string[]
  info: { lines: number }
}

/** Lines that hold nothing are left out. */
async function* rowsOf(parser: AsyncIterable<Parsed>): AsyncGenerator<TableRow> {
  let line = 1
  try {
    for await (const { record, info } of parser) {
      if (record.some((cell) => cell !== '')) yield { line, cells: record }
      line = info.lines + 1
    }
  } catch (error) {
    throw error instanceof CsvError ? new UnreadableFileError(problemOf(error, line)) : error
  }
}

function problemOf({ code }: CsvError, line: number): string {
  switch (code) {
    case 'CSV_QUOTE_NOT_CLOSED':
      return `A quotation mark is opened in the row that begins on line ${line}, or later, and never closed.`
    case 'CSV_MAX_RECORD_SIZE':
      return `The row that begins on line ${line} has more than ${MOST_ROW} characters: a quotation mark before it may not be closed.`
    default:
      return `The row that begins on line ${line} has a quotation mark inside a cell: write the cell in quotation marks, and each of its own twice.`
  }
}
