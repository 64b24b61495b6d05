import { type Compilable, type CompiledQuery, type DialectAdapter, type Kysely, sql } from 'kysely'
import { sendQuery } from './kysely.ts'
import { keyOfRow, onOneRow, rowKey } from './one-row.ts'

/** Stands for one of the caller's values in a compiled query. */
class Placeholder {
  readonly index: number

  constructor(index: number) {
    this.index = index
  }
}

/**
 * Returns a function that runs a query with different values but compiles it only once. `build` must pass its values on as parameters,
 * never use them to decide on the form of the query, and must not have optional parameters.
 *
 *     const productById = compileOnce((db: Kysely<Tables>, accountId: string, id: string) =>
 *       db.selectFrom('products').selectAll().where('account_id', '=', accountId).where('id', '=', id))
 *     const [product] = await productById(database.read, caller.accountId, id)
 */
export function compileOnce<Tables, Values extends (string | number | null)[], Row>(
  build: (db: Kysely<Tables>, ...values: Values) => Compilable<Row>,
): (db: Kysely<Tables>, ...values: Values) => Promise<Row[]> {
  const run = compiled(build.length - 1, ofValues(build))
  return (db, ...values) => run(db, values)
}

function ofValues<Tables, Values extends unknown[], Query>(build: (db: Kysely<Tables>, ...values: Values) => Query) {
  return (db: Kysely<Tables>, values: unknown[]) => build(db, ...(values as Values))
}

const ID_COUNTS = [1, 2, 5, 10, 20, 50, 100, 200, 500]
const MAX_IDS = ID_COUNTS.at(-1)!

/**
 * Like `compileOnce`, for a query by account and by a list of ids in `where … in (…)`. To compile few queries, the last id is repeated
 * until the list has one of a few lengths. More than 500 ids take several queries, so an `order by` applies only among the rows of one
 * id.
 */
export function compileForIds<Tables, Row>(
  build: (db: Kysely<Tables>, accountId: string, ids: string[]) => Compilable<Row>,
): (db: Kysely<Tables>, accountId: string, ids: readonly string[]) => Promise<Row[]> {
  const ofIds = ofValues((db: Kysely<Tables>, accountId: string, ...ids: string[]) => build(db, accountId, ids))
  const byCount = new Map(ID_COUNTS.map((count) => [count, compiled(count + 1, ofIds)]))

  return async (db, accountId, ids) => {
    const rows: Row[][] = []
    for (let start = 0; start < ids.length; start += MAX_IDS) {
      const some = ids.slice(start, start + MAX_IDS)
      const count = ID_COUNTS.find((one) => one >= some.length)!
      const repeated = Array.from({ length: count - some.length }, () => some.at(-1)!)
      rows.push(await byCount.get(count)!(db, [accountId, ...some, ...repeated]))
    }
    return rows.length === 1 ? rows[0]! : rows.flat()
  }
}

/** Like `compileOnce`, for a write whose result is not needed. See `sendQuery`. */
export function sendOnce<Tables, Values extends (string | number | null)[]>(
  build: (db: Kysely<Tables>, ...values: Values) => Compilable,
): (db: Kysely<Tables>, ...values: Values) => Promise<void> {
  const fill = filled(build.length - 1, ofValues(build))
  return (db, ...values) => sendQuery(db, fill(db, values))
}

function compiled<Tables, Row>(
  count: number,
  build: (db: Kysely<Tables>, values: unknown[]) => Compilable<Row>,
): (db: Kysely<Tables>, values: readonly (string | number | null)[]) => Promise<Row[]> {
  const fill = filled(count, build)
  return async (db, values) => (await db.executeQuery<Row>(fill(db, values))).rows
}

const compiledOnceQueries = new WeakSet<CompiledQuery['query']>()

/** Whether `compileOnce` or `compileForIds` compiled a query. Such queries usually find a few rows by key. */
export function isCompiledOnce({ query }: CompiledQuery): boolean {
  return compiledOnceQueries.has(query)
}

/** Returns a function that fills the placeholders of a query, which is compiled once per engine. */
function filled<Tables, Row>(
  count: number,
  build: (db: Kysely<Tables>, values: unknown[]) => Compilable<Row>,
): (db: Kysely<Tables>, values: readonly (string | number | null)[]) => CompiledQuery<Row> {
  const compiledFor = new WeakMap<DialectAdapter, CompiledQuery<Row>>()
  return (db, values) => {
    const { adapter } = db.getExecutor()
    let query = compiledFor.get(adapter)
    if (!query) {
      const placeholders = Array.from({ length: count }, (_, index) => new Placeholder(index))
      query = build(db, placeholders).compile()
      compiledFor.set(adapter, query)
      compiledOnceQueries.add(query.query)
    }
    const parameters = query.parameters.map((value) => (value instanceof Placeholder ? values[value.index] : value))
    return { ...query, parameters }
  }
}

type Row = Record<string, unknown>

const compiledWrites = new WeakMap<DialectAdapter, Map<string, CompiledQuery>>()

function compiledAs<Tables>(db: Kysely<Tables>, key: string, compile: () => CompiledQuery): CompiledQuery {
  const { adapter } = db.getExecutor()
  const known = compiledWrites.get(adapter) ?? new Map<string, CompiledQuery>()
  compiledWrites.set(adapter, known)
  const compiled = known.get(key) ?? compile()
  known.set(key, compiled)
  return compiled
}

/** Inserts a row with `sendQuery`, compiled once per table and order of columns. Values must be strings, numbers or null. */
export async function insertOne<Tables>(db: Kysely<Tables>, table: keyof Tables & string, row: Row): Promise<void> {
  const compiled = compiledInsert(db, table, row)
  await sendQuery(db, onOneRow(compiled, Object.values(row), keyOfRow(row)))
}

/**
 * Inserts a row unless a row with the same values in `taken`, the columns of a unique key, exists. Returns whether it did. Unlike a
 * look-up before the insert, it reads nothing that the insert of another transaction could change.
 */
export async function insertUnless<Tables>(
  db: Kysely<Tables>,
  table: keyof Tables & string,
  row: Row,
  taken: readonly string[],
): Promise<boolean> {
  const compiled = compiledInsert(db, table, row, { taken })
  const { numAffectedRows } = await db.executeQuery(onOneRow(compiled, Object.values(row), keyOfRow(row)))
  return Number(numAffectedRows) > 0
}

/** A row with the same unique key `taken` is kept, or replaced by the new row if `replace` is true. */
interface Conflict {
  taken?: readonly string[]
  replace?: boolean
}

/** Inserts rows in one statement. All must have the same columns in the same order. Without `taken`, a conflict is an error. */
export async function insertSeveral<Tables>(
  db: Kysely<Tables>,
  table: keyof Tables & string,
  rows: readonly Row[],
  conflict: Conflict = {},
): Promise<void> {
  const [first] = rows
  if (first === undefined) return
  const compiled = compiledInsert(db, table, first, conflict, rows.length)
  await sendQuery(db, { ...compiled, parameters: rows.flatMap((row) => Object.values(row)) })
}

/** The possible numbers of rows per statement. They are few, so that few statements are compiled. */
const PORTIONS = [100, 10, 1]

/** Inserts rows with the same columns in the same order, up to 100 per statement. Skips a row whose unique key `taken` exists. */
export async function insertMany<Tables>(
  db: Kysely<Tables>,
  table: keyof Tables & string,
  rows: readonly Row[],
  taken: readonly string[] = [],
): Promise<void> {
  let done = 0
  for (const portion of PORTIONS)
    for (; rows.length - done >= portion; done += portion) {
      const [first = {}, ...others] = rows.slice(done, done + portion)
      const compiled = compiledInsert(db, table, first, { taken }, portion)
      await sendQuery(db, { ...compiled, parameters: [first, ...others].flatMap((row) => Object.values(row)) })
    }
}

/** Runs a write whose result is not needed. See `sendQuery`. */
export function sendChange<Tables>(db: Kysely<Tables>, change: Compilable): Promise<void> {
  return sendQuery(db, change.compile())
}

/** Updates a row with `sendQuery`, compiled once per table and order of columns. */
export async function updateOne<Tables>(
  db: Kysely<Tables>,
  table: keyof Tables & string,
  { account_id, id }: { account_id: string; id: string },
  changes: Row,
): Promise<void> {
  const compiled = compiledUpdate(db, table, changes)
  await sendQuery(db, onOneRow(compiled, [...Object.values(changes), account_id, id], rowKey(account_id, id)))
}

/** Adds amounts, which may be negative, to number columns of a row. */
export async function addToOne<Tables>(
  db: Kysely<Tables>,
  table: keyof Tables & string,
  { account_id, id }: { account_id: string; id: string },
  added: Record<string, number>,
): Promise<void> {
  const compiled = compiledSum(db, table, Object.keys(added))
  await sendQuery(db, onOneRow(compiled, [...Object.values(added), account_id, id], rowKey(account_id, id)))
}

// The functions below are untyped, because Kysely cannot infer the columns of a table that is a type parameter.

function compiledSum<Tables>(db: Kysely<Tables>, table: keyof Tables & string, names: string[]): CompiledQuery {
  return compiledAs(db, `add ${table} ${names}`, () => {
    const sum = Object.fromEntries(names.map((name) => [name, sql`${sql.ref(name)} + ${0}`]))
    return untyped(db).updateTable(String(table)).set(sum).where('account_id', '=', '').where('id', '=', '').compile()
  })
}

function compiledInsert<Tables>(
  db: Kysely<Tables>,
  table: keyof Tables & string,
  row: Row,
  { taken = [], replace = false }: Conflict = {},
  count = 1,
): CompiledQuery {
  const columns = Object.keys(row)
  return compiledAs(db, `insert ${table} ${columns} ${taken} ${replace} ${count}`, () => {
    const insert = untyped(db).insertInto(String(table)).values(Array(count).fill(row))
    if (taken.length === 0) return insert.compile()
    const others = columns.filter((column) => !taken.includes(column))
    const changes = Object.fromEntries(others.map((name) => [name, sql.ref(`excluded.${name}`)]))
    const unless = insert.onConflict((known) =>
      replace ? known.columns(taken).doUpdateSet(changes) : known.columns(taken).doNothing(),
    )
    return unless.compile()
  })
}

function compiledUpdate<Tables>(db: Kysely<Tables>, table: keyof Tables & string, changes: Row): CompiledQuery {
  return compiledAs(db, `update ${table} ${Object.keys(changes)}`, () => {
    const update = untyped(db).updateTable(String(table)).set(changes)
    return update.where('account_id', '=', '').where('id', '=', '').compile()
  })
}

function untyped<Tables>(db: Kysely<Tables>): Kysely<Record<string, Row>> {
  return db as unknown as Kysely<Record<string, Row>>
}
