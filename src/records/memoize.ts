import { rowCacheOf } from '../database/row-cache.ts'
import type { Tables } from '../resources/tables.ts'
import type { Context } from './context.ts'

interface CachedQuery {
  /** Identifies the query and its values: the same name means the same query. */
  name: string
  /** All tables that the query reads; a write to one of them drops the result. */
  tables: readonly (keyof Tables & string)[]
}

/**
 * Caches a read in the transaction until it writes to one of the tables. If a rule starts the read ahead, together with others, it need not
 * wait when it uses the result.
 */
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

/** Caches the value that `readOnce` would read, if a rule knows it already. */
export function prime<Value>({ db }: Pick<Context, 'db'>, { name, tables }: CachedQuery, value: Value): void {
  rowCacheOf(db)?.putFact(name, tables, Promise.resolve(value))
}

/** A query that is made for several ids. */
interface CachedQueryById extends Omit<CachedQuery, 'name'> {
  /** The name without the id: `tags of`. */
  what: string
}

export function questionOf({ what, tables }: CachedQueryById, id: string): CachedQuery {
  return { name: `${what} ${id}`, tables }
}

/** Like `readOnce` for several ids: `read` receives those that are not cached, in one query. */
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

/** Sends a change of a table that invalidates the cached result of this query alone; the caller then caches the new one with `knowing`. */
export function invalidateOnly<Result>({ db }: Pick<Context, 'db'>, { name }: CachedQuery, send: () => Result): Result {
  const remembered = rowCacheOf(db)
  return remembered ? remembered.changing([name], send) : send()
}

/** Whether rows that were read or written before are cached, so that finding them again costs nothing. */
export function hasRowCache({ db }: Pick<Context, 'db'>): boolean {
  return rowCacheOf(db) !== undefined
}
