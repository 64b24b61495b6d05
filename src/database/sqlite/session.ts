import type { Kysely } from 'kysely'
import type { Session } from '../open-transaction.ts'
import type { SqliteConnection } from './connection.ts'
import { TransactionHandle } from './handle.ts'
import type { Turn } from './turn.ts'

/** A transaction that has the writer to itself until its end. */
export class SqliteSession<Tables> implements Session<Tables> {
  readonly #connection: SqliteConnection
  readonly #turn: Turn
  readonly #handle: TransactionHandle<Tables>

  constructor(connection: SqliteConnection, turn: Turn) {
    this.#connection = connection
    this.#turn = turn
    this.#handle = new TransactionHandle(connection)
  }

  get db(): Kysely<Tables> {
    return this.#handle.db
  }

  readonly command = (sql: string): void => this.#connection.command(sql)

  async end(how: 'commit' | 'rollback'): Promise<void> {
    this.#handle.end()
    try {
      if (how === 'commit') this.#connection.command('commit')
    } finally {
      if (this.#connection.inTransaction) this.#connection.command('rollback')
      this.#turn.release()
    }
  }
}
