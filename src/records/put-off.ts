import { addToOne, insertOne, updateOne } from '../database/compile-once.ts'
import { type PutOff, type RememberedRows, rememberedOf } from '../database/remembered.ts'
import { type AnyTables, anyTable } from './any-table.ts'
import type { Context } from './context.ts'

type Values = Record<string, unknown>
type Db = ReturnType<typeof anyTable>

interface Write {
  table: string
  id: string
  /** A row that is new, with its changes; absent for one that is stored. */
  inserted?: Values
  changes: Values
  added: Record<string, number>
}

/** Collects the inserts and changes of rows of some tables, so that each row is written once. */
class PutOffWrites implements PutOff {
  writing = false
  readonly #db: Db
  readonly #accountId: string
  readonly #tables: ReadonlySet<string>
  readonly #mention: RegExp
  readonly #remembered: RememberedRows
  readonly #writes = new Map<string, Write>()
  readonly #done: Promise<void>[] = []

  constructor(
    { db, accountId }: Pick<Context, 'db' | 'accountId'>,
    tables: readonly string[],
    remembered: RememberedRows,
  ) {
    this.#remembered = remembered
    this.#db = anyTable({ db })
    this.#accountId = accountId
    this.#tables = new Set(tables)
    this.#mention = new RegExp(`\\b(${tables.join('|')})\\b`)
  }

  insert(table: string, row: Values): boolean {
    if (!this.#tables.has(table)) return false
    this.#remembered.forgetFacts(table)
    const id = String(row.id)
    this.#writes.set(`${table} ${id}`, { table, id, inserted: row, changes: {}, added: {} })
    return true
  }

  change(table: string, id: string, changes: Values): boolean {
    if (!this.#tables.has(table)) return false
    const write = this.#writeOf(table, id)
    Object.assign(write.inserted ?? write.changes, changes)
    return true
  }

  /** Adds to numbers of a row that is stored. */
  add(table: string, id: string, added: Record<string, number>): boolean {
    if (!this.#tables.has(table)) return false
    const write = this.#writeOf(table, id)
    for (const [name, by] of Object.entries(added)) write.added[name] = (write.added[name] ?? 0) + by
    return true
  }

  #writeOf(table: string, id: string): Write {
    this.#remembered.forgetFacts(table)
    const write = this.#writes.get(`${table} ${id}`) ?? { table, id, changes: {}, added: {} }
    this.#writes.set(`${table} ${id}`, write)
    return write
  }

  /** The new rows of a table that are not written yet. */
  inserted(table: string): Values[] {
    return [...this.#writes.values()].flatMap(({ table: of, inserted }) => (of === table && inserted ? [inserted] : []))
  }

  before(sql: string): void {
    if (this.#writes.size > 0 && this.#mention.test(sql)) this.#write()
  }

  drop(): void {
    this.#writes.clear()
  }

  /** Carries out what is left. Rejects where one of the writes failed. */
  async end(): Promise<void> {
    this.#write()
    await Promise.all(this.#done)
  }

  /** Every statement is on its way when it returns: one that comes after it finds the rows. */
  #write(): void {
    const writes = [...this.#writes.values()]
    this.#writes.clear()
    this.writing = true
    for (const { table, id, inserted, changes, added } of writes) {
      const key = { account_id: this.#accountId, id }
      if (inserted) this.#send(insertOne<AnyTables>(this.#db, table, inserted))
      else if (Object.keys(changes).length > 0) this.#send(updateOne<AnyTables>(this.#db, table, key, changes))
      if (Object.keys(added).length > 0) this.#send(addToOne<AnyTables>(this.#db, table, key, added))
    }
    this.writing = false
  }

  #send(done: Promise<void>): void {
    done.catch(() => {})
    this.#done.push(done)
  }
}

/**
 * Runs a rule that inserts rows of these tables and then changes them, so that each is written once: `insertRow` and `changeRow` are put
 * off until the end, or until a statement that names one of the tables.
 */
export async function writingOnce<Result>(
  context: Pick<Context, 'db' | 'accountId'>,
  tables: readonly string[],
  rule: () => Promise<Result>,
): Promise<Result> {
  const remembered = rememberedOf(context.db)
  if (!remembered || remembered.putOff) return rule()
  const writes = new PutOffWrites(context, tables, remembered)
  remembered.putOff = writes
  try {
    return await rule()
  } finally {
    // It sends all at once, and what is known of the rows is as they are then.
    const ended = writes.end()
    remembered.putOff = undefined
    await ended
  }
}

/** The writes that are put off in the open transaction, where some are. */
export function putOffIn({ db }: Pick<Context, 'db'>): PutOffWrites | undefined {
  const putOff = rememberedOf(db)?.putOff
  return putOff instanceof PutOffWrites ? putOff : undefined
}
