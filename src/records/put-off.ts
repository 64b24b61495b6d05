import { insertOne, updateOne } from '../database/compile-once.ts'
import { type PutOff, rememberedOf } from '../database/remembered.ts'
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
}

/** Collects the inserts and changes of rows of some tables, so that each row is written once. */
class PutOffWrites implements PutOff {
  writing = false
  readonly #db: Db
  readonly #accountId: string
  readonly #tables: ReadonlySet<string>
  readonly #mention: RegExp
  readonly #writes = new Map<string, Write>()
  readonly #done: Promise<void>[] = []

  constructor({ db, accountId }: Pick<Context, 'db' | 'accountId'>, tables: readonly string[]) {
    this.#db = anyTable({ db })
    this.#accountId = accountId
    this.#tables = new Set(tables)
    this.#mention = new RegExp(`\\b(${tables.join('|')})\\b`)
  }

  insert(table: string, row: Values): boolean {
    if (!this.#tables.has(table)) return false
    const id = String(row.id)
    this.#writes.set(`${table} ${id}`, { table, id, inserted: row, changes: {} })
    return true
  }

  change(table: string, id: string, changes: Values): boolean {
    if (!this.#tables.has(table)) return false
    const write = this.#writes.get(`${table} ${id}`) ?? { table, id, changes: {} }
    this.#writes.set(`${table} ${id}`, write)
    Object.assign(write.inserted ?? write.changes, changes)
    return true
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
    for (const { table, id, inserted, changes } of writes) {
      const done = inserted
        ? insertOne<AnyTables>(this.#db, table, inserted)
        : updateOne<AnyTables>(this.#db, table, { account_id: this.#accountId, id }, changes)
      done.catch(() => {})
      this.#done.push(done)
    }
    this.writing = false
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
  const writes = new PutOffWrites(context, tables)
  remembered.putOff = writes
  try {
    return await rule()
  } finally {
    remembered.putOff = undefined
    await writes.end()
  }
}

/** The writes that are put off in the open transaction, where some are. */
export function putOffIn({ db }: Pick<Context, 'db'>): PutOffWrites | undefined {
  const putOff = rememberedOf(db)?.putOff
  return putOff instanceof PutOffWrites ? putOff : undefined
}
