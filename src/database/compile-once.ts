import type { Compilable, CompiledQuery, DialectAdapter, Kysely } from 'kysely'

/** Stands in the compiled query where one of the caller's values will go. */
class Placeholder {
  readonly index: number

  constructor(index: number) {
    this.index = index
  }
}

/**
 * Makes a function that runs one query with other values each time and compiles it only the first time. `build` must use its
 * values as values alone, never to decide what the query looks like, and takes none that are optional.
 *
 *     const productById = compileOnce((db: Kysely<Tables>, accountId: string, id: string) =>
 *       db.selectFrom('products').selectAll().where('account_id', '=', accountId).where('id', '=', id))
 *     const [product] = await productById(database.read, caller.accountId, id)
 */
export function compileOnce<Tables, Values extends (string | number)[], Row>(
  build: (db: Kysely<Tables>, ...values: Values) => Compilable<Row>,
): (db: Kysely<Tables>, ...values: Values) => Promise<Row[]> {
  const compiledFor = new WeakMap<DialectAdapter, CompiledQuery<Row>>()
  const placeholders = Array.from({ length: build.length - 1 }, (_, index) => new Placeholder(index))

  return async (db, ...values) => {
    const { adapter } = db.getExecutor()
    let compiled = compiledFor.get(adapter)
    if (!compiled) {
      compiled = build(db, ...(placeholders as unknown[] as Values)).compile()
      compiledFor.set(adapter, compiled)
    }
    const parameters = compiled.parameters.map((value) => (value instanceof Placeholder ? values[value.index] : value))
    return (await db.executeQuery<Row>({ ...compiled, parameters })).rows
  }
}

type Row = Record<string, unknown>

const inserts = new WeakMap<DialectAdapter, Map<string, CompiledQuery>>()

/**
 * Inserts a row, compiling the statement only the first time that a row of the table has these columns in this order.
 * Values are parameters alone: strings, numbers and null.
 */
export async function insertOne<Tables>(db: Kysely<Tables>, table: keyof Tables & string, row: Row): Promise<void> {
  const compiled = compiledInsert(db, table, row)
  await db.executeQuery({ ...compiled, parameters: Object.values(row) })
}

function compiledInsert<Tables>(db: Kysely<Tables>, table: keyof Tables & string, row: Row): CompiledQuery {
  const { adapter } = db.getExecutor()
  const known = inserts.get(adapter) ?? new Map<string, CompiledQuery>()
  inserts.set(adapter, known)
  const key = `${table} ${Object.keys(row)}`
  let compiled = known.get(key)
  if (!compiled) {
    // Kysely cannot follow a table that is a type parameter.
    compiled = (db as unknown as Kysely<Record<string, Row>>).insertInto(table).values(row).compile()
    known.set(key, compiled)
  }
  return compiled
}
