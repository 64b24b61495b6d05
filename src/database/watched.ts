import type { CompiledQuery, Kysely } from 'kysely'
import {
  type Database,
  type OpenTransaction,
  type ProgramOptions,
  StorageError,
  type Transaction,
  type TransactionOptions,
} from './database.ts'
import { cachingKysely, RowCache } from './row-cache.ts'
import { writtenBy } from './written.ts'

export interface WriteWatch {
  /** Called with the number of bytes of each write, and with the negative of that number if the transaction is rolled back. */
  wrote(accountId: string, bytes: number): void
  /** Called after the commit of a transaction that has written. */
  succeeded(): void
  /** Called when a transaction has failed because the storage cannot be written. */
  failed(error: StorageError): void
}

/** Returns a database that counts the written bytes of each account, and caches the rows of each transaction. */
export function watchedDatabase<Tables>(inner: Database<Tables>, watch: WriteWatch): Database<Tables> {
  return new WatchedDatabase(inner, watch)
}

class WatchedDatabase<Tables> implements Database<Tables> {
  readonly engine: Database<Tables>['engine']
  readonly read: Kysely<Tables>
  readonly #inner: Database<Tables>
  readonly #watch: WriteWatch

  constructor(inner: Database<Tables>, watch: WriteWatch) {
    this.engine = inner.engine
    this.read = inner.read
    this.#inner = inner
    this.#watch = watch
  }

  async transaction<Result>(
    work: (unit: Transaction<Tables>) => Promise<Result>,
    options: TransactionOptions = {},
  ): Promise<Result> {
    const tally = new WriteTally(options.account, this.#watch)
    try {
      const result = await this.#inner.transaction((unit) => {
        // The writes of an earlier attempt were rolled back, so they do not count.
        tally.undo()
        return work(watchedTransaction(unit, tally))
      }, options)
      tally.keep()
      return result
    } catch (error) {
      tally.undo(error)
      throw error
    }
  }

  program(options: ProgramOptions): OpenTransaction<Tables> {
    return programWith(this.#inner.program(options), new WriteTally(options.account, this.#watch))
  }

  load(): ReturnType<Database<Tables>['load']> {
    return this.#inner.load()
  }

  ping(): Promise<void> {
    return this.#inner.ping()
  }

  close(): Promise<void> {
    return this.#inner.close()
  }
}

/** Wraps the transaction of a program, whose calls share one row cache. */
function programWith<Tables>(open: OpenTransaction<Tables>, tally: WriteTally): OpenTransaction<Tables> {
  const rows = new RowCache({ ofProgram: true })
  const read = cachingKysely(open.read, rows)
  const end = (ended: Promise<void>) => {
    rows.forget()
    return ended
  }
  const undone = (error: unknown) => {
    tally.undo(error)
    throw error
  }
  return {
    read,
    transaction: (work, more) =>
      undoable(rows, () => open.transaction((unit) => work(watchedTransaction(unit, tally, rows)), more)),
    settled: () => open.settled(),
    commit: () => end(open.commit()).then(() => tally.keep(), undone),
    rollback: () => end(open.rollback()).finally(() => tally.undo()),
  }
}

/** Runs `part` and clears the row cache if it rejects, because its savepoint was rolled back. */
async function undoable<Result>(rows: RowCache, part: () => Promise<Result>): Promise<Result> {
  try {
    return await part()
  } catch (error) {
    rows.forget()
    throw error
  }
}

function watchedTransaction<Tables>(
  unit: Transaction<Tables>,
  tally: WriteTally,
  rows: RowCache = new RowCache(),
): Transaction<Tables> {
  return {
    db: cachingKysely(unit.db, rows, (query) => tally.note(query)),
    savepoint: (work) => undoable(rows, () => unit.savepoint(work)),
    settled: () => unit.settled(),
    settlesAtEnd: unit.settlesAtEnd ?? false,
  }
}

/** Counts the bytes that one transaction writes. Those of a savepoint that was rolled back stay counted until the account is measured. */
class WriteTally {
  readonly #account: string | undefined
  readonly #watch: WriteWatch
  readonly #bytes = new Map<string, number>()
  #hasWritten = false

  constructor(account: string | undefined, watch: WriteWatch) {
    this.#account = account
    this.#watch = watch
  }

  note(query: CompiledQuery): void {
    const written = writtenBy(query)
    if (!written) return
    this.#hasWritten = true
    const account = this.#account ?? written.account
    if (!account) return
    this.#bytes.set(account, (this.#bytes.get(account) ?? 0) + written.bytes)
    this.#watch.wrote(account, written.bytes)
  }

  keep(): void {
    if (this.#hasWritten) this.#watch.succeeded()
    this.#bytes.clear()
  }

  undo(error?: unknown): void {
    if (error instanceof StorageError) this.#watch.failed(error)
    for (const [account, bytes] of this.#bytes) this.#watch.wrote(account, -bytes)
    this.#bytes.clear()
    this.#hasWritten = false
  }
}
