import { type RawBuilder, sql } from 'kysely'
import { BoundedMap } from '../bounded-map.ts'
import type { FieldSpec } from '../contract/declarations/field.ts'
import type { Noun } from '../contract/declarations/noun.ts'
import { columnsOf } from './columns.ts'
import type { Context } from './context.ts'

type Values = Record<string, unknown>

/** Fields that can contain at least this many characters count as long. */
const LONG_CHARACTERS = 50_000
/** The maximum bytes of long texts in a page with several rows; larger pages would block the process for too long. */
const MAX_PAGE_BYTES = 1_000_000
const MOST_REMEMBERED = 10_000

const longColumns = new WeakMap<Noun, string[]>()
const tooLong = new BoundedMap<string, true>(MOST_REMEMBERED)

function longColumnsOf(noun: Noun): string[] {
  let columns = longColumns.get(noun)
  if (columns) return columns
  const isLong = ({ json, long }: FieldSpec) => long || Number(json?.maxLength ?? 0) >= LONG_CHARACTERS
  columns = columnsOf(noun).stored.flatMap(([name, { spec }]) => (isLong(spec) ? [name] : []))
  longColumns.set(noun, columns)
  return columns
}

/** Remembers a list whose page was too long, so that its later pages are measured before they are read. */
export function noteLength({ accountId }: Context, noun: Noun, rows: Values[]): void {
  const columns = longColumnsOf(noun)
  if (columns.length === 0) return
  let bytes = 0
  for (const row of rows) for (const name of columns) bytes += typeof row[name] === 'string' ? row[name].length : 0
  if (bytes > MAX_PAGE_BYTES) tooLong.set(`${accountId} ${noun.name}`, true)
}

export function hasLongPages({ accountId }: Context, noun: Noun): boolean {
  return tooLong.get(`${accountId} ${noun.name}`) === true
}

/** Returns an SQL expression for the bytes of a row's long texts, which the engines know without reading the texts. */
export function longBytes(noun: Noun): RawBuilder<number> {
  const sizes = longColumnsOf(noun).map((name) => sql`coalesce(octet_length(${sql.ref(name)}), 0)`)
  return sql<number>`${sql.join(sizes, sql` + `)}`
}

/** The first row always fits. */
export function fitting(sizes: number[]): number {
  let bytes = 0
  const first = sizes.findIndex((size) => {
    bytes += size
    return bytes > MAX_PAGE_BYTES
  })
  return first < 0 ? sizes.length : Math.max(1, first)
}
