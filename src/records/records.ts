import type { Kysely } from 'kysely'
import { invalid, missingResource } from '../contract/declarations/errors.ts'
import type { NewRow, Noun, Row } from '../contract/declarations/noun.ts'
import { MAX_SLUG, SLUG } from '../contract/declarations/slug.ts'
import { newId } from '../contract/values/ids.ts'
import { compileForIds, compileOnce, insertMany, insertOne, insertUnless, updateOne } from '../database/compile-once.ts'
import { type RowCache, rowCacheOf, rowKey } from '../database/row-cache.ts'
import { type AnyTables, anyTable } from './any-table.ts'
import { columnsOf, decode, encode, withWebAddresses } from './columns.ts'
import type { Context, InAccount } from './context.ts'
import { addEntries, changeEntries, entryRows, removeEntries } from './search/entries.ts'
import { searchTextOf } from './search/text.ts'
import type { SortKeys } from './tombstones.ts'

export { type AnyTables, anyTable } from './any-table.ts'

type Values = Record<string, unknown>

/** Returns the account's row with the given id, or slug if the noun has slugs; undefined if there is none. */
export async function findRow<N extends Noun>(
  context: InAccount,
  noun: N,
  idOrSlug: string,
): Promise<Row<N> | undefined> {
  const column = addressColumn(noun, idOrSlug)
  if (column === null) return undefined
  const raw = await (column === 'id' ? readById(context, noun, idOrSlug) : readOne(context, noun, column, idOrSlug))
  return raw && decode(noun, { ...raw })
}

type PendingRow = Promise<Values | undefined>

async function readOne(context: InAccount, noun: Noun, column: 'id' | 'slug', value: string): PendingRow {
  const [raw] = await finderOf(noun, column)(anyTable(context), context.accountId, value)
  return raw
}

/** Reads a row by its id, and caches it until the transaction writes to the table. */
function readById(context: InAccount, noun: Noun, id: string): PendingRow {
  const remembered = rowCacheOf(context.db)
  const read = () => readOne(context, noun, 'id', id)
  if (!remembered) return read()
  const key = cacheKey(context, id)
  return remembered.get(noun.plural, key) ?? remembered.put(noun.plural, key, read())
}

export function cacheKey({ accountId }: InAccount, id: string): string {
  return rowKey(accountId, id)
}

/** Caches rows that a list has read, if a Ruby program runs in the transaction, because programs often read these rows by id later. */
export function cacheRows(context: InAccount, noun: Noun, rows: readonly Values[]): void {
  if (rowCacheOf(context.db)?.ofProgram) for (const row of rows) cacheRow(context, noun, row)
}

/** Caches a row, which must be in the form in which the database stores it. */
export function cacheRow(context: InAccount, noun: Noun, row: Values): void {
  rowCacheOf(context.db)?.put(noun.plural, cacheKey(context, String(row.id)), Promise.resolve({ ...row }))
}

type FindByKey = (db: Kysely<AnyTables>, accountId: string, value: string) => Promise<Values[]>

const finders = new Map<string, FindByKey>()

/** Returns the query that finds a row by a column. It is compiled only once, because rows are looked up very often. */
function finderOf({ plural }: Noun, column: 'id' | 'slug'): FindByKey {
  const name = `${plural}.${column}`
  let find = finders.get(name)
  if (find) return find
  find = compileOnce((db: Kysely<AnyTables>, accountId: string, value: string) =>
    db.selectFrom(plural).selectAll().where('account_id', '=', accountId).where(column, '=', value),
  ) as FindByKey
  finders.set(name, find)
  return find
}

/** Like `findRow`, but throws a 404 if there is no such row; `param` is the path of the body field that the error names. */
export async function requireRow<N extends Noun>(
  context: Context,
  noun: N,
  idOrSlug: string,
  param?: string,
): Promise<Row<N>> {
  const row = await findRow(context, noun, idOrSlug)
  if (!row) throw missingResource(noun.name, param)
  return row
}

export async function findRows<N extends Noun>(
  context: Context,
  noun: N,
  ids: Iterable<string>,
): Promise<Map<string, Row<N>>> {
  const found = new Map<string, Row<N>>()
  const wanted = [...new Set(ids)]
  const remembered = rowCacheOf(context.db)
  const known = remembered ? rememberedRows(context, noun, wanted, remembered) : []
  for (const raw of known.length > 0 ? await Promise.all(known) : await readByIds(context, noun, wanted))
    if (raw) found.set(String(raw.id), decode(noun, { ...raw }))
  return found
}

/** Returns, by id, the rows of a noun whose ids are the values of `field` in other rows. */
export function findNamed<N extends Noun, Field extends string>(
  context: Context,
  noun: N,
  field: Field,
  rows: Iterable<Readonly<Record<Field, string | readonly string[] | null>>>,
): Promise<Map<string, Row<N>>> {
  const ids = [...rows].flatMap((row) => row[field] ?? [])
  return findRows(context, noun, ids)
}

function readByIds(context: InAccount, noun: Noun, ids: string[]): Promise<Values[]> {
  return idsFinderOf(noun)(anyTable(context), context.accountId, ids)
}

/** Like `readById` for several ids; reads those that are not cached in one query. */
function rememberedRows(context: InAccount, noun: Noun, ids: string[], remembered: RowCache): PendingRow[] {
  const missing = ids.filter((id) => remembered.get(noun.plural, cacheKey(context, id)) === undefined)
  const reading = missing.length > 0 ? readByIds(context, noun, missing) : Promise.resolve([])
  const byId = reading.then((rows) => new Map(rows.map((raw) => [String(raw.id), raw])))
  for (const id of missing)
    remembered.put(
      noun.plural,
      cacheKey(context, id),
      byId.then((rows) => rows.get(id)),
    )
  return ids.flatMap((id) => remembered.get(noun.plural, cacheKey(context, id)) ?? [])
}

type FindByIds = (db: Kysely<AnyTables>, accountId: string, ids: readonly string[]) => Promise<Values[]>

const idsFinders = new Map<string, FindByIds>()

function idsFinderOf({ plural }: Noun): FindByIds {
  const find =
    idsFinders.get(plural) ??
    compileForIds((db: Kysely<AnyTables>, accountId, ids) =>
      db.selectFrom(plural).selectAll().where('account_id', '=', accountId).where('id', 'in', ids),
    )
  idsFinders.set(plural, find)
  return find
}

/** Returns the ids, without duplicates, for ids or slugs from a body. Throws a 404 for the first unknown one. */
export async function requireIds(context: Context, noun: Noun, given: string[], param: string): Promise<string[]> {
  const byId = await findRows(context, noun, given.filter(noun.isId))
  const ids = new Set<string>()
  for (const [index, one] of given.entries())
    ids.add(byId.has(one) ? one : (await requireRow(context, noun, one, `${param}.${index}`)).id)
  return [...ids]
}

/** Stores a new row, under a new id unless `values` has one. Absent columns get their default value, or null. */
export async function insertRow<N extends Noun>(context: Context, noun: N, values: NewRow<N>): Promise<Row<N>> {
  const row = newRow(context, noun, values)
  const stored = { ...encode(noun, row), ...searchText(noun, row) }
  await insertOne(anyTable(context), noun.plural, stored)
  rowCacheOf(context.db)?.put(noun.plural, cacheKey(context, row.id), Promise.resolve(stored))
  await addEntries(context, noun, row)
  return row
}

/**
 * Like `insertRow`, but returns undefined if another row of the account has the same value in the unique `column`. On PostgreSQL,
 * concurrent transactions that insert rows this way do not conflict; a check before the insert would make them conflict.
 */
export async function insertUnlessTaken<N extends Noun>(
  context: Context,
  noun: N,
  values: NewRow<N>,
  column: string,
): Promise<Row<N> | undefined> {
  const row = newRow(context, noun, values)
  const stored = { ...encode(noun, row), ...searchText(noun, row) }
  if (!(await insertUnless(anyTable(context), noun.plural, stored, ['account_id', column]))) return undefined
  await addEntries(context, noun, row)
  return row
}

/** Like `insertRow` for many rows, which may have their own `created_at`. The caller emits the events and ensures unique names. */
export async function insertRows<N extends Noun>(
  context: Context,
  noun: N,
  all: readonly NewRow<N>[],
): Promise<Row<N>[]> {
  const rows = all.map((values) => {
    const row = newRow(context, noun, values)
    return values.created_at === undefined ? row : Object.assign(row, { created_at: values.created_at })
  })
  const stored = rows.map((row) => Object.assign(encode(noun, row), searchText(noun, row)))
  await insertMany(anyTable(context), noun.plural, stored)
  if (noun.foundBy.length > 0) {
    const entries = rows.flatMap((row) => entryRows(context, noun, row)).map((entry) => ({ ...entry }))
    await insertMany(anyTable(context), 'search_entries', entries, ['account_id', 'kind', 'entry', 'id'])
  }
  return rows
}

function newRow<N extends Noun>(context: Context, noun: N, values: NewRow<N>): Row<N> {
  const row: Values = { account_id: context.accountId }
  const given = withWebAddresses(noun, { ...mergeMetadata({}, values) })
  for (const [name, field] of columnsOf(noun).stored) row[name] = given[name] ?? field.spec.fallback ?? null
  const times = noun.immutable ? { created_at: context.now } : { created_at: context.now, updated_at: context.now }
  Object.assign(row, { id: values.id ?? newId(noun.prefix!) }, times)
  return row as Row<N>
}

/**
 * Stores changes to a row. Returns the changed row, or the same object if nothing differs. Merges `metadata`. Changes to hidden
 * columns do not change `updated_at`.
 */
export async function changeRow<N extends Noun>(
  context: Context,
  noun: N,
  row: Row<N>,
  changes: Partial<Row<N>>,
): Promise<Row<N>> {
  const differing = differences(row, withWebAddresses(noun, { ...mergeMetadata(row, changes) }))
  const names = Object.keys(differing)
  if (names.length === 0) return row
  const shown = names.some((name) => !Object.hasOwn(noun.hidden, name))
  if (shown && !noun.immutable) differing.updated_at = context.now
  const searched = noun.searchable.some((name) => name in differing)
  const changed = { ...encode(noun, differing), ...(searched && searchText(noun, { ...row, ...differing })) }
  const remembered = rowCacheOf(context.db)
  const before = remembered?.get(noun.plural, cacheKey(context, row.id))
  await updateOne(anyTable(context), noun.plural, { account_id: context.accountId, id: row.id }, changed)
  if (before)
    remembered?.put(
      noun.plural,
      cacheKey(context, row.id),
      before.then((raw) => raw && { ...raw, ...changed }),
    )
  const after = { ...row, ...differing }
  if (noun.foundBy.some((name) => name in differing)) await changeEntries(context, noun, row, after)
  return after
}

function differences(row: Values, changes: Values): Values {
  const differing = Object.entries(changes).filter(
    ([name, value]) => value !== undefined && JSON.stringify(value) !== JSON.stringify(row[name]),
  )
  return Object.fromEntries(differing)
}

function searchText(noun: Noun, row: Values): Values {
  if (noun.searchable.length === 0) return {}
  return { search_text: searchTextOf(noun, row) }
}

const MAX_METADATA_KEYS = 50

/** Merges changes into a row's metadata and removes keys whose value becomes null. Throws a 422 if too many keys remain. */
function mergeMetadata(row: Values, changes: Values): Values {
  if (changes.metadata === undefined) return changes
  const merged = { ...(row.metadata as Values), ...(changes.metadata as Values) }
  const kept = Object.entries(merged).filter(([, value]) => value !== null)
  if (kept.length > MAX_METADATA_KEYS) throw invalid({ metadata: [`would have more than ${MAX_METADATA_KEYS} keys`] })
  return { ...changes, metadata: Object.fromEntries(kept) }
}

/**
 * Deletes a row, but stores its place in lists, so that paging can continue there. `sortKeys` are its values in sort orders other
 * than by id.
 */
export async function deleteRow(
  context: Context,
  noun: Noun,
  row: { id: string },
  sortKeys: SortKeys = {},
): Promise<void> {
  const tombstone = {
    account_id: context.accountId,
    id: row.id,
    sort_keys: JSON.stringify(sortKeys),
    deleted_at: context.realNow,
  }
  const found = noun.foundBy.length > 0 && (await findRow(context, noun, row.id))
  if (found) await removeEntries(context, noun, found)
  await insertOne(context.db, 'tombstones', tombstone)
  await anyTable(context)
    .deleteFrom(noun.plural)
    .where('account_id', '=', context.accountId)
    .where('id', '=', row.id)
    .execute()
}

/** Returns `id` for a value that looks like one, otherwise `slug`; null if it can be neither. */
function addressColumn(noun: Noun, value: string): 'id' | 'slug' | null {
  if (noun.isId(value)) return 'id'
  return noun.slug && SLUG.test(value) && value.length <= MAX_SLUG ? 'slug' : null
}
