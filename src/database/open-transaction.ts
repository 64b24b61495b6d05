import type { Kysely } from 'kysely'
import type { OpenTransaction, Transaction } from './database.ts'
import { inSavepoint, type RunCommand, RunningTransaction } from './running-transaction.ts'

/** A program's transaction as an engine holds it. Nothing is opened before the first query or `beginWriting`. */
export interface ProgramConnection<Tables> {
  readonly db: Kysely<Tables>
  readonly command: RunCommand
  /** See `Unit`. */
  readonly settled?: () => Promise<void>
  /** As `settled`, of all calls. An engine may leave the failure of one call to this. */
  readonly allSettled?: () => Promise<void>
  /** Waits until the program may write. Rejects with ConflictError when what it has read is no longer true. */
  beginWriting(): Promise<void>
  /** Gives everything back, whatever happens. After the end, `rollback` does nothing and `commit` rejects. */
  end(how: 'commit' | 'rollback'): Promise<void>
}

/** A program's transaction on either engine; calls of `transaction` run one after the other, each as a savepoint. */
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

/** What a call of a transaction that has ended is refused with. */
export function endedError(signal: AbortSignal | undefined): unknown {
  return signal?.aborted ? signal.reason : new Error('This transaction has ended already.')
}
