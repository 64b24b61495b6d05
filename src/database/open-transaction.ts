import type { Kysely } from 'kysely'
import type { OpenTransaction, Transaction } from './database.ts'
import { inSavepoint, type RunCommand, RunningTransaction } from './running-transaction.ts'

/** The engine's part of a program's transaction. Nothing is opened before the first query or `beginWriting`. */
export interface ProgramConnection<Tables> {
  readonly db: Kysely<Tables>
  readonly command: RunCommand
  readonly settled?: () => Promise<void>
  /** Waits for the writes of all calls. Rejects with the errors of writes that `settled` did not wait for. */
  readonly allSettled?: () => Promise<void>
  /** Waits until the program may write. On SQLite, rejects with ConflictError if the account has changed since the first read. */
  beginWriting(): Promise<void>
  /** Ends the transaction and releases its resources, even if it fails. Afterwards `rollback` does nothing and `commit` rejects. */
  end(how: 'commit' | 'rollback'): Promise<void>
}

/** A program's transaction on either engine. Calls of `transaction` run one after the other, each in a savepoint. */
export class ProgramTransaction<Tables> implements OpenTransaction<Tables> {
  readonly read: Kysely<Tables>
  readonly #session: ProgramConnection<Tables>
  #last: Promise<unknown> = Promise.resolve()

  constructor(session: ProgramConnection<Tables>) {
    this.#session = session
    this.read = session.db
  }

  async transaction<Result>(work: (unit: Transaction<Tables>) => Promise<Result>): Promise<Result> {
    RunningTransaction.refuseInside(this)
    const result = this.#last.then(() => this.#run(work))
    this.#last = result.catch(() => {})
    return result
  }

  async settled(): Promise<void> {
    await this.#last
    await this.#session.allSettled?.()
  }

  async commit(): Promise<void> {
    await this.#last
    await this.#session.end('commit')
  }

  async rollback(): Promise<void> {
    await this.#last
    await this.#session.end('rollback')
  }

  async #run<Result>(work: (unit: Transaction<Tables>) => Promise<Result>): Promise<Result> {
    const { db } = this.#session
    await this.#session.beginWriting()
    return inSavepoint(this.#session.command, 'call', () => new RunningTransaction(this, db, this.#session).run(work))
  }
}

export function endedError(signal: AbortSignal | undefined): unknown {
  return signal?.aborted ? signal.reason : new Error('This transaction has ended already.')
}
