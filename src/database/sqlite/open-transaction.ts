import type { Kysely } from 'kysely'
import type { OpenTransaction, Unit } from '../database.ts'
import { inSavepoint, OpenUnit, type RunCommand } from '../unit.ts'
import type { SqliteConnection } from './connection.ts'
import { TransactionHandle } from './handle.ts'
import type { Turn } from './turn.ts'

/** A program's transaction: it has the writer to itself until it is committed or rolled back. */
export class SqliteOpenTransaction<Tables> implements OpenTransaction<Tables> {
  readonly #connection: SqliteConnection
  readonly #turn: Turn
  readonly #handle: TransactionHandle<Tables>
  readonly #command: RunCommand
  #last: Promise<unknown> = Promise.resolve()
  #ended = false

  constructor(connection: SqliteConnection, turn: Turn) {
    this.#connection = connection
    this.#turn = turn
    this.#handle = new TransactionHandle(connection)
    this.#command = (sql) => connection.command(sql)
  }

  get read(): Kysely<Tables> {
    return this.#handle.db
  }

  async transaction<Result>(work: (unit: Unit<Tables>) => Promise<Result>): Promise<Result> {
    OpenUnit.refuseInside(this)
    const result = this.#last.then(() => this.#run(work))
    this.#last = result.catch(() => {})
    return result
  }

  async commit(): Promise<void> {
    await this.#last
    if (this.#ended) throw new Error('This transaction has ended already.')
    this.#end('commit')
  }

  async rollback(): Promise<void> {
    await this.#last
    if (!this.#ended) this.#end('rollback')
  }

  #run<Result>(work: (unit: Unit<Tables>) => Promise<Result>): Promise<Result> {
    if (this.#ended) throw new Error('This transaction has ended already.')
    return inSavepoint(this.#command, 'call', () => new OpenUnit(this, this.#handle.db, this.#command).run(work))
  }

  #end(how: 'commit' | 'rollback'): void {
    this.#ended = true
    this.#handle.end()
    try {
      if (how === 'commit' || this.#connection.inTransaction) this.#connection.command(how)
    } finally {
      if (this.#connection.inTransaction) this.#connection.command('rollback')
      this.#turn.release()
    }
  }
}
