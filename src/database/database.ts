import type { Kysely } from 'kysely'

/** The database, or an open transaction in which an operation runs. */
export interface Scope<Tables> {
  /** Reads. In an open transaction, reads also see the writes of that transaction. */
  readonly read: Kysely<Tables>
  /**
   * Runs `work` in a transaction, or in a savepoint of the open one. It commits if `work` resolves; if `work` rejects, it rolls back and
   * rejects with the same error. `work` must not do outside I/O, because it may run again after a conflict.
   */
  transaction<Result>(
    work: (unit: Transaction<Tables>) => Promise<Result>,
    options?: TransactionOptions,
  ): Promise<Result>
}

export interface TransactionOptions {
  /**
   * The account whose records the transaction changes. Programs of the account that have already read run again. Leave it out for
   * bookkeeping that no program reads: the log of runs, the use of tokens, claims of idempotency keys.
   */
  account?: string
  /** No caller waits for the result, so it does not end a program that holds the writer of the embedded engine. */
  lowPriority?: boolean
  /**
   * For transactions that often change the same few records of `account` at once, such as payments: on PostgreSQL they wait for the turn
   * of their account, like programs that write, instead of conflicting. It has no effect on the embedded engine, which has one writer.
   */
  inTurn?: boolean
  /** Translates a failure of `work` or of the commit. If it returns a ConflictError, the transaction runs again. */
  explain?: (error: unknown) => unknown
}

/** A transaction as the `work` inside it sees it. */
export interface Transaction<Tables> {
  readonly db: Kysely<Tables>
  /** Runs `work` in a savepoint. If it rejects, its writes are rolled back, and the error is passed on. */
  savepoint<Result>(work: () => Promise<Result>): Promise<Result>
  /** Resolves when all statements so far have run. Rejects with the first failure. */
  settled(): Promise<void>
  /** Whether the end of the transaction waits for all statements, so that calling `settled` is unnecessary. */
  readonly settlesAtEnd?: boolean
}

/**
 * A serializable transaction that stays open until its holder ends it. It begins with the first query and reads the snapshot of that
 * moment and its own writes. Each `transaction` on it is a savepoint.
 */
export interface OpenTransaction<Tables> extends Scope<Tables> {
  /** Resolves when all writes so far have run. Rejects with TransactionLostError if the transaction must be rolled back. */
  settled(): Promise<void>
  /** Rejects with TransactionLostError if the transaction was rolled back instead. */
  commit(): Promise<void>
  /** Does nothing after a commit or a failure. */
  rollback(): Promise<void>
}

export interface ProgramOptions {
  /** The account whose records the program reads and changes. */
  account: string
  /** Takes the right to write before the first query, so that no other program of the account can cause a conflict. */
  holdFromStart?: boolean
  /** An abort ends all waiting. After the end of the transaction, every call rejects with its reason. */
  signal?: AbortSignal
  /** Called when the transaction is rolled back because it held the embedded engine's writer too long (WriterHeldTooLongError). */
  onHeldTooLong?: () => void
}

/** The current load. `waiting` counts the callers that wait for the writer or for a connection. */
export type DatabaseLoad =
  | { engine: 'sqlite'; waiting: number }
  | { engine: 'postgres'; waiting: number; busy: number; idle: number }

/** Receives the durations of turns with the embedded engine's writer, in milliseconds. */
export interface WriterWatch {
  waited(kind: 'short' | 'program', waitedMs: number): void
  /** `heldMs` is the time from the beginning of the transaction to its end. */
  held(kind: 'short' | 'program', heldMs: number): void
}

export interface Database<Tables> extends Scope<Tables> {
  readonly engine: 'sqlite' | 'postgres'
  /**
   * Creates the transaction of a program. It begins with the first query. The first write takes the writer of the embedded engine, or on
   * PostgreSQL the turn of the account, until the end. Always end it with `commit` or `rollback`.
   */
  program(options: ProgramOptions): OpenTransaction<Tables>
  load(): DatabaseLoad
  /** Resolves if the database answers. Rejects with StorageError if its files are gone or its server cannot be reached. */
  ping(): Promise<void>
  close(): Promise<void>
}

/** The transaction was or will be rolled back, and accepts no more statements. */
export class TransactionLostError extends Error {
  override name = 'TransactionLostError'
}

/** The transaction conflicts with another one (such as SQLSTATE 40001, 40P01): roll back and run all of it again. */
export class ConflictError extends TransactionLostError {
  override name = 'ConflictError'
}

/** The program was rolled back because it held the embedded engine's writer too long while others waited for it. */
export class WriterHeldTooLongError extends TransactionLostError {
  override name = 'WriterHeldTooLongError'

  constructor() {
    super('The program held the writer for more than 1 second while others waited for it.')
  }
}

/** The database cannot be written or reached. Nothing of the transaction was saved. */
export class StorageError extends TransactionLostError {
  override name = 'StorageError'
  /**
   * `full`: there is no space left. `unavailable`: the files are gone or cannot be written. Stored data can still be read in both cases.
   * `unreachable`: the database server is down or accepts no connection.
   */
  readonly problem: 'full' | 'unavailable' | 'unreachable'

  constructor(problem: StorageError['problem'], message: string, options?: ErrorOptions) {
    super(message, options)
    this.problem = problem
  }
}

/** The connection was lost during a commit, and the database did not answer in time whether it was committed. */
export class OutcomeUnknownError extends Error {
  override name = 'OutcomeUnknownError'
}

export interface StartErrorOptions extends ErrorOptions {
  /** `empty`: the database holds no data of ours. `unreachable`: its server does not answer. */
  reason?: 'empty' | 'unreachable'
}

/** The database cannot be opened. The message explains in one sentence what to do, and is shown without a stack trace. */
export class DatabaseStartError extends Error {
  override name = 'DatabaseStartError'
  readonly reason: StartErrorOptions['reason']

  constructor(message: string, { reason, ...options }: StartErrorOptions = {}) {
    super(message, options)
    this.reason = reason
  }
}

/** Another Shopwright process holds the lock of the data directory. */
export class DirectoryInUseError extends DatabaseStartError {
  override name = 'DirectoryInUseError'
}
