import type { Noun, Row } from '../../contract/declarations/noun.ts'
import { decode } from '../../records/columns.ts'
import type { Context } from '../../records/context.ts'
import { rowsAfter } from '../../records/table-page.ts'
import { csvLine } from '../../words/csv.ts'
import { plainAmount } from '../../words/money.ts'

/** Reads in the account, at one moment. */
export type Read = <Value>(work: (context: Context) => Promise<Value>) => Promise<Value>
/** Cells by the names of their columns; absent ones are empty. */
export type Cells = Record<string, string | number | boolean | null | undefined>

const PAGE_ROWS = 200

/** A file of CSV: its columns, and then the rows that `cellsOf` makes of each page of a noun's rows. */
export async function* csvOf<N extends Noun>(
  read: Read,
  noun: N,
  columns: readonly string[],
  cellsOf: (rows: Row<N>[], context: Context) => Promise<Cells[]>,
): AsyncGenerator<string> {
  yield csvLine(columns)
  const part = { table: noun.plural, key: ['id'] }
  let after: { id: string } | null = null
  for (;;) {
    const last: { id: string } | null = after
    const { rows, cells } = await read(async (context) => {
      const raw = await rowsAfter(context, part, last, PAGE_ROWS)
      const found = raw.map((row) => decode<Row<N>>(noun, row))
      return { rows: found, cells: await cellsOf(found, context) }
    })
    if (cells.length > 0) yield cells.map((row) => csvLine(columns.map((name) => textOf(row[name])))).join('')
    const end = rows.at(-1)
    if (!end || rows.length < PAGE_ROWS) return
    after = { id: end.id }
  }
}

function textOf(value: Cells[string]): string {
  return value === null || value === undefined ? '' : String(value)
}

/** An amount as our own files have it; empty where there is none. */
export function money(amount: number | null, currency: string): string {
  return amount === null ? '' : plainAmount(amount, currency)
}

/** `metadata` as our own files have it. */
export function metadataCell(metadata: Record<string, string>): string {
  return Object.keys(metadata).length === 0 ? '' : JSON.stringify(metadata)
}
