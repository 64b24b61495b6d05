import { type Kysely, type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import { invalidParameter } from '../contract/declarations/errors.ts'
import type { FieldSpec } from '../contract/declarations/field.ts'
import type { Noun, Row } from '../contract/declarations/noun.ts'
import { compileOnce } from '../database/compile-once.ts'
import { aOrAn } from '../format/names.ts'
import { BoundedMap } from '../runtime/bounded-map.ts'
import { columnsOf, decode } from './columns.ts'
import type { Context } from './context.ts'
import { type AnyTables, anyTable, cacheRows, findRows } from './records.ts'
import type { SortKeys } from './tombstones.ts'

type Values = Record<string, unknown>
export type Select = SelectQueryBuilder<Record<string, Values>, string, Values>

/** Fields that can contain at least this many characters count as long. */
const LONG_CHARACTERS = 50_000
/** The maximum bytes of long texts in a page with several rows; larger pages would block the process for too long. */
const MAX_PAGE_BYTES = 1_000_000
const MOST_REMEMBERED = 10_000

const longColumns = new WeakMap<Noun, string[]>()
const tooLong = new BoundedMap<string, true>(MOST_REMEMBERED)

/** A sort order. `key` is an SQL expression over the noun's own columns for both engines, or null for the id, which also breaks ties. */
export interface Order {
  key: string | null
  direction: 'asc' | 'desc'
  /** Set if an index that is only for sorting may be used; the query then contains the condition of these indexes (`PARTIAL_INDEX`). */
  ownIndex?: true
}

/**
 * The condition of indexes that are only for sorting or for look-ups by the beginning of a text. All rows meet it, but it keeps
 * PostgreSQL from using these indexes for other look-ups; see docs/decisions/0050-writes-side-by-side.md.
 */
export const PARTIAL_INDEX = sql<SqlBool>`length(id) > 0`

/** The newest row has the greatest id, because ids sort by creation time. */
export const NEWEST_FIRST: Order = { key: null, direction: 'desc' }

export interface PageRequest {
  order: Order
  limit: number
  startingAfter?: string | undefined
  narrow?: ((query: Select) => Promise<Select>) | undefined
  /** Whether the ids of the page are found before its rows are read. */
  idsFirst?: boolean
}

/** Returns the rows after the cursor, and whether more rows follow. A page of rows with very long texts has fewer rows than requested. */
export async function page<N extends Noun>(
  context: Context,
  noun: N,
  request: PageRequest,
): Promise<{ rows: Row<N>[]; hasMore: boolean }> {
  if (hasLongPages(context, noun)) return shortPage(context, noun, request)
  const found = await select(context, noun, request)
  const { limit } = request
  noteLength(context, noun, found)
  cacheRows(context, noun, found)
  return { rows: found.slice(0, limit).map((raw) => decode(noun, raw)), hasMore: found.length > limit }
}

/** Selects the rows of all pages, unsorted. */
export function matching(context: Context, noun: Noun, narrow: PageRequest['narrow']): Promise<Select> {
  return narrowed(context, noun, { order: NEWEST_FIRST, limit: 0, narrow })
}

/** Returns a page of as many rows as fit; their sizes are read before their texts. */
async function shortPage<N extends Noun>(
  context: Context,
  noun: N,
  request: PageRequest,
): Promise<{ rows: Row<N>[]; hasMore: boolean }> {
  const query = ordered(await narrowed(context, noun, request), request.order)
  const sizes = query.clearSelect().select('id').select(longBytes(noun).as('bytes'))
  const found = await upTo(request.limit, sizes).execute()
  const count = Math.min(request.limit, fitting(found.map(({ bytes }) => Number(bytes))))
  const ids = found.slice(0, count).map(({ id }) => String(id))
  const byId = await findRows(context, noun, ids)
  return { rows: ids.flatMap((id) => byId.get(id) ?? []), hasMore: found.length > count }
}

/** Reads one row more than a page has, which shows whether more rows follow. */
async function select(context: Context, noun: Noun, request: PageRequest): Promise<Values[]> {
  const { order, limit, startingAfter, narrow } = request
  if (!narrow && startingAfter === undefined)
    return firstPageOf(noun, order, limit)(anyTable(context), context.accountId)
  const query = upTo(limit, ordered(await narrowed(context, noun, request), order))
  if (!request.idsFirst) return query.execute()
  const rows = rowsOf(anyTable(context), noun, order, context.accountId)
  return ordered(rows.where('id', 'in', query.clearSelect().select('id')), order).execute()
}

async function narrowed(context: Context, noun: Noun, { order, startingAfter, narrow }: PageRequest): Promise<Select> {
  let query = rowsOf(anyTable(context), noun, order, context.accountId)
  if (narrow) query = await narrow(query)
  if (startingAfter !== undefined) query = query.where(await after(context, noun, order, startingAfter))
  return query
}

function rowsOf(db: Kysely<AnyTables>, noun: Noun, { ownIndex }: Order, accountId: string): Select {
  const rows = db.selectFrom(noun.plural).selectAll().where('account_id', '=', accountId)
  return ownIndex ? rows.where(PARTIAL_INDEX) : rows
}

function ordered(query: Select, { key, direction }: Order): Select {
  const sorted = key === null ? query : query.orderBy(sql.raw(key), direction)
  return sorted.orderBy('id', direction)
}

/** Writes the limit as a literal, because SQLite would plan a statement with a limit parameter again for each execution. */
function upTo(limit: number, query: Select): Select {
  return query.limit(sql.lit(limit + 1))
}

type SelectPage = (db: Kysely<AnyTables>, accountId: string) => Promise<Values[]>

const firstPages = new Map<string, SelectPage>()

/** Returns the query of a first page without filters, compiled only once, because most requests ask for such a page. */
function firstPageOf(noun: Noun, order: Order, limit: number): SelectPage {
  const name = `${noun.plural} ${order.key} ${order.direction} ${limit}`
  let selectPage = firstPages.get(name)
  if (selectPage) return selectPage
  selectPage = compileOnce((db: Kysely<AnyTables>, accountId: string) =>
    upTo(limit, ordered(rowsOf(db, noun, order, accountId), order)),
  )
  firstPages.set(name, selectPage)
  return selectPage
}

/** Returns the SQL condition for the rows after a row, which may be deleted. Throws a 400 if neither it nor its tombstone exists. */
async function after(
  context: Context,
  noun: Noun,
  { key, direction }: Order,
  id: string,
): Promise<RawBuilder<boolean>> {
  const place = noun.isId(id)
    ? ((await positionOfRow(context, noun, key, id)) ?? (await positionOfDeletedRow(context, noun, key, id)))
    : undefined
  if (!place) throw invalidParameter('starting_after', `is not the id of ${aOrAn(noun.name)} in this account`)
  const compare = sql.raw(direction === 'asc' ? '>' : '<')
  if (key === null) return sql<boolean>`id ${compare} ${place.id}`
  return sql<boolean>`(${sql.raw(key)}, id) ${compare} (${place.key}, ${place.id})`
}

interface CursorPosition {
  id: string
  key: unknown
}

async function positionOfRow(
  context: Context,
  noun: Noun,
  key: string | null,
  id: string,
): Promise<CursorPosition | undefined> {
  const query = anyTable(context)
    .selectFrom(noun.plural)
    .select('id')
    .select(sql.raw(key ?? 'id').as('key'))
  return (await query.where('account_id', '=', context.accountId).where('id', '=', id).executeTakeFirst()) as
    | CursorPosition
    | undefined
}

async function positionOfDeletedRow(
  context: Context,
  noun: Noun,
  key: string | null,
  id: string,
): Promise<CursorPosition | undefined> {
  const query = context.db.selectFrom('tombstones').select('sort_keys').where('account_id', '=', context.accountId)
  const found = await query.where('id', '=', id).executeTakeFirst()
  if (!found || key === null) return found && { id, key: null }
  const place = (JSON.parse(found.sort_keys) as SortKeys)[key]
  if (place === undefined) return undefined
  if (typeof place !== 'object') return { id, key: place }
  if (place.behind === null) return { id: '', key: 0 }
  return (
    (await positionOfRow(context, noun, key, place.behind)) ?? positionOfDeletedRow(context, noun, key, place.behind)
  )
}

function longColumnsOf(noun: Noun): string[] {
  let columns = longColumns.get(noun)
  if (columns) return columns
  const isLong = ({ json, long }: FieldSpec) => long || Number(json?.maxLength ?? 0) >= LONG_CHARACTERS
  columns = columnsOf(noun).stored.flatMap(([name, { spec }]) => (isLong(spec) ? [name] : []))
  longColumns.set(noun, columns)
  return columns
}

/** Remembers a list whose page was too long, so that its later pages are measured before they are read. */
function noteLength({ accountId }: Context, noun: Noun, rows: Values[]): void {
  const columns = longColumnsOf(noun)
  if (columns.length === 0) return
  let bytes = 0
  for (const row of rows) for (const name of columns) bytes += typeof row[name] === 'string' ? row[name].length : 0
  if (bytes > MAX_PAGE_BYTES) tooLong.set(`${accountId} ${noun.name}`, true)
}

function hasLongPages({ accountId }: Context, noun: Noun): boolean {
  return tooLong.get(`${accountId} ${noun.name}`) === true
}

/** Returns an SQL expression for the bytes of a row's long texts, which the engines know without reading the texts. */
function longBytes(noun: Noun): RawBuilder<number> {
  const sizes = longColumnsOf(noun).map((name) => sql`coalesce(octet_length(${sql.ref(name)}), 0)`)
  return sql<number>`${sql.join(sizes, sql` + `)}`
}

/** Returns how many rows of these sizes fit into a page. The first row always does. */
function fitting(sizes: number[]): number {
  let bytes = 0
  const first = sizes.findIndex((size) => {
    bytes += size
    return bytes > MAX_PAGE_BYTES
  })
  return first < 0 ? sizes.length : Math.max(1, first)
}
