import type { Context } from '../../../records/context.ts'
import { rowsAfter } from '../../../records/table-page.ts'
import type { ExportPart } from './parts.ts'

type Values = Record<string, unknown>
/** Reads in the account, at one moment or at several. */
export type Read = <Value>(work: (context: Context) => Promise<Value>) => Promise<Value>

/** Rows that are held at a time: the longest are of a few hundred kilobytes. */
const PAGE_ROWS = 50

/** All rows of a part of the account as exports show them, page by page; the last page has fewer rows than the others, or none. */
export async function* pagesOf(read: Read, part: ExportPart): AsyncGenerator<{ rows: Values[]; isLast: boolean }> {
  let after: Values | null = null
  for (;;) {
    const last: Values | null = after
    const page = await read(async (context) => {
      const rows = await rowsAfter(context, part, last, PAGE_ROWS)
      const end = rows.at(-1)
      const next = end ? Object.fromEntries(part.key.map((column) => [column, end[column]])) : null
      return { next, rows: rows.map((row) => part.shown(row, context)) }
    })
    const isLast = page.rows.length < PAGE_ROWS
    yield { rows: page.rows, isLast }
    if (isLast) return
    after = page.next
  }
}

export function jsonLines(rows: readonly Values[]): string {
  return rows.map((row) => `${JSON.stringify(row)}\n`).join('')
}
