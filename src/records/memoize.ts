import { rowCacheOf } from '../database/row-cache.ts'
import type { Tables } from '../resources/tables.ts'
import type { Context } from './context.ts'

interface CachedQuery {
  /** Identifies the query and its values: two queries with the same name must be the same. */
  name: string
  /** All tables that the query reads; a write to one of them discards the cached result. */
  tables: readonly (keyof Tables & string)[]
}

/** Caches a read until the transaction writes to one of the tables. Pending reads are cached too, so they can start early. */
export function memoize<Value>(
  { db }: Pick<Context, 'db'>,
  { name, tables }: CachedQuery,
  read: () => Promise<Value>,
): Promise<Value> {
  const remembered = rowCacheOf(db)
  const known = remembered?.fact(name) as Promise<Value> | undefined
  if (known) return known
  const found = read()
  remembered?.putFact(name, tables, found)
  return found
}

/** Caches a value for `memoize` without reading it, because the caller knows it already. */
export function prime<Value>({ db }: Pick<Context, 'db'>, { name, tables }: CachedQuery, value: Value): void {
  rowCacheOf(db)?.putFact(name, tables, Promise.resolve(value))
}

interface CachedQueryById extends Omit<CachedQuery, 'name'> {
  /** The beginning of the name, which is followed by the id: `tags of`. */
  what: string
}

export function questionOf({ what, tables }: CachedQueryById, id: string): CachedQuery {
  return { name: `${what} ${id}`, tables }
}

/** Like `memoize` for several ids; `read` receives all ids that are not cached, for one query. */
export async function memoizeEach<Value>(
  context: Pick<Context, 'db'>,
  question: CachedQueryById,
  ids: readonly string[],
  read: (ids: string[]) => Promise<Map<string, Value>>,
): Promise<Map<string, Value | undefined>> {
  const remembered = rowCacheOf(context.db)
  const unknown = ids.filter((id) => remembered?.fact(questionOf(question, id).name) === undefined)
  const found = unknown.length > 0 ? read([...new Set(unknown)]) : Promise.resolve(new Map<string, Value>())
  const values = ids.map((id) => memoize(context, questionOf(question, id), async () => (await found).get(id)))
  const all = await Promise.all(values)
  return new Map(ids.map((id, index) => [id, all[index]]))
}

/** Sends a change that invalidates only this cached result. The caller then caches the new result with `prime`. */
export function invalidateOnly<Result>({ db }: Pick<Context, 'db'>, { name }: CachedQuery, send: () => Result): Result {
  const remembered = rowCacheOf(db)
  return remembered ? remembered.changing([name], send) : send()
}

export function hasRowCache({ db }: Pick<Context, 'db'>): boolean {
  return rowCacheOf(db) !== undefined
}
