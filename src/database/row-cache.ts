import {
  type CompiledQuery,
  DeleteQueryNode,
  InsertQueryNode,
  type Kysely,
  type OperationNode,
  SelectQueryNode,
  TableNode,
  UpdateQueryNode,
} from 'kysely'
import { watchedKysely } from './kysely.ts'
import type { OneRow } from './one-row.ts'

/** The maximum number of characters in the cache of one transaction. */
const MOST_CHARACTERS = 4_000_000
/** The approximate size of a cached row without its texts, in characters. */
const ROW_SIZE = 300

/** Clears the whole cache when it becomes too large. */
class CacheLimit {
  readonly #forget: () => void
  #left = MOST_CHARACTERS

  constructor(forget: () => void) {
    this.#forget = forget
  }

  take(size: number): void {
    this.#left -= size
    if (this.#left >= 0) return
    this.#left = MOST_CHARACTERS
    this.#forget()
  }
}

function sizeOf(row: Record<string, unknown>): number {
  let size = ROW_SIZE
  for (const name in row) {
    const value = row[name]
    if (typeof value === 'string') size += value.length
  }
  return size
}

type Values = Record<string, unknown>
type RowPromise = Promise<Values | undefined>

interface Fact {
  found: Promise<unknown>
}

/** The approximate size of a cached query result ("fact"), in characters. */
const FACT_SIZE = 500

/**
 * Caches the rows and query results ("facts") of one transaction until it writes to their table. Callers must not modify a cached row,
 * only a copy of it.
 */
export class RowCache {
  readonly #tables = new Map<string, Map<string, RowPromise>>()
  readonly #facts = new Map<string, Fact>()
  readonly #factsOf = new Map<string, Set<string>>()
  readonly #limit = new CacheLimit(() => this.forget())
  /** The only facts that the statement being sent invalidates; see `changing`. */
  #changing: readonly string[] | undefined

  /** Whether the transaction belongs to a program with many calls, so that one call can use rows that another has read. */
  readonly ofProgram: boolean

  constructor({ ofProgram = false } = {}) {
    this.ofProgram = ofProgram
  }

  get(table: string, key: string): RowPromise | undefined {
    return this.#tables.get(table)?.get(key)
  }

  /** Caches a row while it is being read. If the read fails, the row is removed. */
  put(table: string, key: string, found: RowPromise): RowPromise {
    const rows = this.#tables.get(table) ?? new Map<string, RowPromise>()
    this.#tables.set(table, rows)
    rows.set(key, found)
    found.then(
      (row) => row && this.#limit.take(sizeOf(row)),
      () => rows.get(key) === found && rows.delete(key),
    )
    return found
  }

  fact(name: string): Promise<unknown> | undefined {
    return this.#facts.get(name)?.found
  }

  putFact(name: string, tables: readonly string[], found: Promise<unknown>): void {
    const fact = { found }
    this.#facts.set(name, fact)
    for (const table of tables) {
      const names = this.#factsOf.get(table) ?? new Set()
      this.#factsOf.set(table, names.add(name))
    }
    found.then(
      () => this.#limit.take(FACT_SIZE),
      () => this.#facts.get(name) === fact && this.#facts.delete(name),
    )
  }

  /** Calls `send`. Its write invalidates only the given facts of its table. */
  changing<Result>(facts: readonly string[], send: () => Result): Result {
    this.#changing = facts
    try {
      return send()
    } finally {
      this.#changing = undefined
    }
  }

  /** Removes everything from the cache that a statement may change. Call it before the statement runs. */
  note({ query, row }: Pick<CompiledQuery, 'query'> & OneRow): void {
    if (SelectQueryNode.is(query) && query.with === undefined) return
    const table = tableOf(query)
    if (table === undefined) this.forget()
    else this.#forgetTable(table, row)
  }

  /** Removes the facts of a table, and one row if its key is known, otherwise all rows of the table. */
  #forgetTable(table: string, row: string | undefined): void {
    if (row === undefined) this.#tables.delete(table)
    else this.#tables.get(table)?.delete(row)
    const names = this.#factsOf.get(table)
    for (const name of this.#changing ?? names ?? []) {
      this.#facts.delete(name)
      names?.delete(name)
    }
  }

  /** Clears the whole cache, for example after a rollback to a savepoint. */
  forget(): void {
    this.#tables.clear()
    this.#facts.clear()
    this.#factsOf.clear()
  }
}

/** Returns the table that a statement changes; undefined if it may change several. */
function tableOf(query: OperationNode): string | undefined {
  if (InsertQueryNode.is(query) && query.with === undefined) return query.into?.table.identifier.name
  if (DeleteQueryNode.is(query) && query.with === undefined) {
    const [only, ...others] = query.from.froms
    return others.length === 0 ? nameOf(only) : undefined
  }
  if (!UpdateQueryNode.is(query) || query.with !== undefined) return undefined
  return nameOf(query.table)
}

function nameOf(node: OperationNode | undefined): string | undefined {
  return node && TableNode.is(node) ? node.table.identifier.name : undefined
}

export { rowKey } from './one-row.ts'

const rememberedBy = new WeakMap<object, RowCache>()

/** Returns the row cache of a Kysely; undefined if the Kysely does not come from `cachingKysely`. */
export function rowCacheOf<Tables>(db: Kysely<Tables>): RowCache | undefined {
  return rememberedBy.get(db)
}

/** Returns a Kysely with a row cache, which first passes each query to `watch`. Use it only within one transaction or one read. */
export function cachingKysely<Tables>(
  db: Kysely<Tables>,
  rows: RowCache = new RowCache(),
  watch: (query: CompiledQuery) => void = () => {},
): Kysely<Tables> {
  const remembering = watchedKysely(db, (query) => {
    rows.note(query)
    watch(query)
  })
  rememberedBy.set(remembering, rows)
  return remembering
}
