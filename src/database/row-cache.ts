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
import { interceptedKysely } from './kysely.ts'
import { Room, sizeOf } from './memory-room.ts'
import type { OneRow } from './one-row.ts'

type Values = Record<string, unknown>
type Found = Promise<Values | undefined>

interface Fact {
  found: Promise<unknown>
}

/** About the characters of the answer to a question. */
const FACT_SIZE = 500

/**
 * Rows that one transaction has read by their keys, as the database holds them: to read one again would give the same, until the
 * transaction writes to its table. A copy is for whoever changes it.
 */
export class RowCache {
  readonly #tables = new Map<string, Map<string, Found>>()
  readonly #facts = new Map<string, Fact>()
  /** Names of facts by the tables that they were read from. */
  readonly #factsOf = new Map<string, Set<string>>()
  readonly #room = new Room(() => this.forget())
  /** The only facts of its table that the statement which is about to be sent changes. */
  #changing: readonly string[] | undefined

  /** Whether many calls share the transaction, so that it pays to cache what one of them has read. */
  readonly ofProgram: boolean

  constructor({ ofProgram = false } = {}) {
    this.ofProgram = ofProgram
  }

  get(table: string, key: string): Found | undefined {
    return this.#tables.get(table)?.get(key)
  }

  /** Remembers what is being read. A failure is not remembered. */
  put(table: string, key: string, found: Found): Found {
    const rows = this.#tables.get(table) ?? new Map<string, Found>()
    this.#tables.set(table, rows)
    rows.set(key, found)
    found.then(
      (row) => row && this.#room.take(sizeOf(row)),
      () => rows.get(key) === found && rows.delete(key),
    )
    return found
  }

  /** What a query of these tables found, by a name for the query. */
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
      () => this.#room.take(FACT_SIZE),
      () => this.#facts.get(name) === fact && this.#facts.delete(name),
    )
  }

  /** Sends a change, of which it is known which facts of its table it changes: the others stay true. */
  changing<Result>(facts: readonly string[], send: () => Result): Result {
    this.#changing = facts
    try {
      return send()
    } finally {
      this.#changing = undefined
    }
  }

  /** Forgets what a statement may change; to be called before it is carried out. */
  note({ query, row }: Pick<CompiledQuery, 'query'> & OneRow): void {
    if (SelectQueryNode.is(query) && query.with === undefined) return
    const table = tableOf(query)
    if (table === undefined) this.forget()
    else this.#forgetTable(table, row)
  }

  /** Of the rows, only the one that is written, where that is known. */
  #forgetTable(table: string, row: string | undefined): void {
    if (row === undefined) this.#tables.delete(table)
    else this.#tables.get(table)?.delete(row)
    const names = this.#factsOf.get(table)
    for (const name of this.#changing ?? names ?? []) {
      this.#facts.delete(name)
      names?.delete(name)
    }
  }

  /** Forgets all, as after a savepoint that was undone. */
  forget(): void {
    this.#tables.clear()
    this.#facts.clear()
    this.#factsOf.clear()
  }
}

/** The one table that a statement changes; undefined where that cannot be seen. */
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

/** What is remembered for a handle on the database; undefined where nothing is. */
export function rowCacheOf<Tables>(db: Kysely<Tables>): RowCache | undefined {
  return rememberedBy.get(db)
}

/** The same Kysely, which remembers rows and shows each query to `watch` before it runs. For one transaction, or one look that writes nothing. */
export function cachingKysely<Tables>(
  db: Kysely<Tables>,
  rows: RowCache = new RowCache(),
  watch: (query: CompiledQuery) => void = () => {},
): Kysely<Tables> {
  const before = (query: CompiledQuery) => {
    rows.note(query)
    watch(query)
  }
  const remembering = interceptedKysely(db, {
    run: (query, run) => {
      before(query)
      return run(query)
    },
    send: (query, send) => {
      before(query)
      return send(query)
    },
  })
  rememberedBy.set(remembering, rows)
  return remembering
}
