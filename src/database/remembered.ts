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

type Values = Record<string, unknown>
type Found = Promise<Values | undefined>

/** Writes that wait for others of the same rows. */
export interface PutOff {
  /** While it carries them out. */
  readonly writing: boolean
  /** Carries them out, if the statement that comes may need them. */
  before(sql: string): void
  /** They are undone before they were done. */
  drop(): void
}

/**
 * Rows that one transaction has read by their keys, as the database holds them: to read one again would give the same, until the
 * transaction writes to its table. A copy is for whoever changes it.
 */
export class RememberedRows {
  readonly #tables = new Map<string, Map<string, Found>>()
  readonly #facts = new Map<string, { tables: readonly string[]; found: Promise<unknown> }>()

  /** Writes that are put off, where some are. */
  putOff: PutOff | undefined

  get(table: string, key: string): Found | undefined {
    return this.#tables.get(table)?.get(key)
  }

  /** Remembers what is being read. A failure is not remembered. */
  put(table: string, key: string, found: Found): Found {
    const rows = this.#tables.get(table) ?? new Map<string, Found>()
    this.#tables.set(table, rows)
    rows.set(key, found)
    found.catch(() => rows.get(key) === found && rows.delete(key))
    return found
  }

  /** What a query of these tables found, by a name for the query. */
  fact(name: string): Promise<unknown> | undefined {
    return this.#facts.get(name)?.found
  }

  putFact(name: string, tables: readonly string[], found: Promise<unknown>): void {
    const fact = { tables, found }
    this.#facts.set(name, fact)
    found.catch(() => this.#facts.get(name) === fact && this.#facts.delete(name))
  }

  /** Forgets what a statement may change; to be called before it is carried out. */
  note({ query, sql }: Pick<CompiledQuery, 'query' | 'sql'>): void {
    if (this.putOff?.writing) return
    this.putOff?.before(sql)
    if (SelectQueryNode.is(query) && query.with === undefined) return
    const table = tableOf(query)
    if (table === undefined) this.#forgetRead()
    else this.#forgetTable(table)
  }

  #forgetTable(table: string): void {
    this.#tables.delete(table)
    this.forgetFacts(table)
  }

  /** Forgets what queries of a table found; its rows are known as they are now. */
  forgetFacts(table: string): void {
    for (const [name, { tables }] of this.#facts) if (tables.includes(table)) this.#facts.delete(name)
  }

  /** Forgets all, as after a savepoint that was undone. */
  forget(): void {
    this.#forgetRead()
    this.putOff?.drop()
  }

  #forgetRead(): void {
    this.#tables.clear()
    this.#facts.clear()
  }
}

/** The one table that a statement changes; undefined where that cannot be seen. No table of ours has keys or triggers that change another. */
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

const rememberedBy = new WeakMap<object, RememberedRows>()

/** What is remembered for a handle on the database; undefined where nothing is. */
export function rememberedOf<Tables>(db: Kysely<Tables>): RememberedRows | undefined {
  return rememberedBy.get(db)
}

/** The same Kysely, which remembers rows and shows each query to `watch` before it runs. For one transaction, or one look that writes nothing. */
export function rememberingKysely<Tables>(
  db: Kysely<Tables>,
  rows: RememberedRows = new RememberedRows(),
  watch: (query: CompiledQuery) => void = () => {},
): Kysely<Tables> {
  const remembering = watchedKysely(db, (query) => {
    rows.note(query)
    watch(query)
  })
  rememberedBy.set(remembering, rows)
  return remembering
}
