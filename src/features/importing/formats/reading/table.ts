import { Readable } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import { type Shape, textOf } from './encoding.ts'

/** The maximum number of characters of one row. The longest rows contain product descriptions. */
const MOST_ROW = 2_000_000
const MOST_COLUMNS = 1_000
/** All line ends are accepted, because concatenated files may mix them. */
const LINE_ENDS = ['\r\n', '\n', '\r']

/** A file that cannot be parsed. `message` gives the line and the reason. */
export class UnreadableFileError extends Error {}

/** The column names of a table and their positions. Names match regardless of case and spaces. */
export class Columns {
  readonly names: readonly string[]
  readonly #places: ReadonlyMap<string, number>
  /** A cache of positions by column name, because the same names are looked up for each row. */
  readonly #asked = new Map<string, number | undefined>()

  constructor(names: readonly string[]) {
    this.names = names
    const places = names.map((name, place) => [plain(name), place] as const)
    // If two columns have the same name, the first one counts.
    this.#places = new Map(places.toReversed())
  }

  place(name: string): number | undefined {
    if (!this.#asked.has(name)) this.#asked.set(name, this.#places.get(plain(name)))
    return this.#asked.get(name)
  }

  has(name: string): boolean {
    return this.place(name) !== undefined
  }
}

export function plain(name: string): string {
  return name.trim().replaceAll(/\s+/g, ' ').toLowerCase()
}

export interface TableRow {
  /** The line in the file on which the row begins, from 1. */
  line: number
  cells: readonly string[]
}

/** Reads the header of a CSV file. Its rows are read while they are consumed. Throws UnreadableFileError. */
export async function readTable(
  chunks: AsyncIterable<Uint8Array>,
  { encoding, delimiter }: Pick<Shape, 'encoding' | 'delimiter'>,
): Promise<{ columns: Columns; rows: AsyncGenerator<TableRow> }> {
  const parser = parse({
    ...{ delimiter, record_delimiter: LINE_ENDS, relax_column_count: true },
    max_record_size: MOST_ROW,
  })
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

async function* rowsOf(parser: AsyncIterable<string[]>): AsyncGenerator<TableRow> {
  let line = 1
  try {
    for await (const cells of parser) {
      if (cells.some((cell) => cell !== '')) yield { line, cells }
      line += 1 + breaksIn(cells)
    }
  } catch (error) {
    throw error instanceof CsvError ? new UnreadableFileError(problemOf(error, line)) : error
  }
}

function breaksIn(cells: readonly string[]): number {
  let count = 0
  for (const cell of cells) if (/[\r\n]/.test(cell)) count += cell.split(/\r\n|\r|\n/).length - 1
  return count
}

/** The line number in the error is better than `last`, because the parser may have read more lines than it has returned rows for. */
function problemOf({ code, lines }: CsvError, last: number): string {
  const line = Number(lines) || last
  switch (code) {
    case 'CSV_QUOTE_NOT_CLOSED':
      return `A quotation mark is opened near line ${line} and never closed.`
    case 'CSV_MAX_RECORD_SIZE':
      return `A row near line ${line} has more than ${MOST_ROW} characters: a quotation mark may not be closed.`
    default:
      return `A quotation mark is inside a cell near line ${line}: write the cell in quotation marks, and each of its own twice.`
  }
}
