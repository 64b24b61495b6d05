import type { Kysely } from 'kysely'

/** The database, or an open transaction within which an operation runs. */
export interface Scope<Tables> {
  /** Reads rows. In an open transaction, reads also see its own writes. */
  readonly read: Kysely<Tables>
  /**
   * Runs `work` in a transaction, or in a savepoint of the open one. Commits if `work` resolves. If `work` rejects, rolls back and
   * rejects with the same error. `work` must not do external I/O, because it may run again after a conflict.
   */
  transaction<Result>(
    work: (unit: Transaction<Tables>) => Promise<Result>,
    options?: TransactionOptions,
  ): Promise<Result>
}

export interface TransactionOptions {
  /**
   * The account whose records the transaction changes. Programs of this account that have read before run again. Omit it for rows that no
   * program reads, such as the log of runs, the last use of tokens and claims of idempotency keys.
   */
  account?: string
  /** Set if no caller waits for the result. The transaction then never makes a program give up the embedded engine's writer lock. */
  lowPriority?: boolean
  /**
   * For transactions that often change the same few records of `account` at once, such as payments. On PostgreSQL they wait for the
   * account's lock, like programs that write, instead of conflicting. The embedded engine with its single writer ignores the option.
   */
  inTurn?: boolean
  /**
   * For statements that check the rows they change themselves, such as a claim of a job that is due. On PostgreSQL they are READ COMMITTED
   * instead of SERIALIZABLE: they wait for other transactions that change the same rows, and never conflict with them.
   */
  readCommitted?: boolean
  /** Converts an error of `work` or of the commit. If it returns a ConflictError, the transaction runs again. */
  explain?: (error: unknown) => unknown
}

export interface Transaction<Tables> {
  readonly db: Kysely<Tables>
  /** Runs `work` in a savepoint. If `work` rejects, its writes are rolled back, and `savepoint` rejects with the same error. */
  savepoint<Result>(work: () => Promise<Result>): Promise<Result>
  /** Resolves when all statements so far have run. Rejects with the first error. */
  settled(): Promise<void>
  /** Whether the end of the transaction waits for all statements, so that callers need not call `settled` before. */
  readonly settlesAtEnd?: boolean
}

/**
 * A serializable transaction that stays open until it is committed or rolled back. It begins with the first query and reads the snapshot
 * of that time and its own writes. Each call of `transaction` creates a savepoint.
 */
export interface OpenTransaction<Tables> extends Scope<Tables> {
  /** Rejects with TransactionLostError if the transaction must be rolled back. */
  settled(): Promise<void>
  /** Rejects with TransactionLostError if the transaction was rolled back instead. */
  commit(): Promise<void>
  /** Does nothing after a commit or a failure. */
  rollback(): Promise<void>
}

export interface ProgramOptions {
  account: string
  /** Whether to acquire the right to write before the first query, so that no other program of the account can cause a conflict. */
  holdFromStart?: boolean
  /** Ends all waiting when aborted. After the end of the transaction, every call rejects with the signal's reason. */
  signal?: AbortSignal
  /** Called when the transaction is rolled back because it held the embedded engine's writer lock for too long. */
  onHeldTooLong?: () => void
}

/** The current load. `waiting` counts callers that wait for the writer or for a connection. */
export type DatabaseLoad =
  | { engine: 'sqlite'; waiting: number }
  | { engine: 'postgres'; waiting: number; busy: number; idle: number }

/** Receives how long callers wait for the embedded engine's writer lock and how long they hold it, in milliseconds. */
export interface WriterWatch {
  waited(kind: 'short' | 'program', waitedMs: number): void
  /** Called at the end of a transaction. */
  held(kind: 'short' | 'program', heldMs: number): void
}

export interface Database<Tables> extends Scope<Tables> {
  readonly engine: 'sqlite' | 'postgres'
  /**
   * Creates the transaction of a program, which begins with the first query. The first write acquires the writer lock of the embedded
   * engine, or the account's lock on PostgreSQL, until the end. Always end the transaction with `commit` or `rollback`.
   */
  program(options: ProgramOptions): OpenTransaction<Tables>
  load(): DatabaseLoad
  /** Resolves if the database responds. Rejects with StorageError if its files are missing or its server cannot be reached. */
  ping(): Promise<void>
  close(): Promise<void>
}

/** Thrown if a transaction was or will be rolled back and accepts no more statements. */
export class TransactionLostError extends Error {}

/** Thrown if a transaction conflicts with another one, such as with SQLSTATE 40001 or 40P01. Roll it back and run all of it again. */
export class ConflictError extends TransactionLostError {}

/** Thrown if a program was rolled back because it held the embedded engine's writer lock for too long while others waited. */
export class WriterHeldTooLongError extends TransactionLostError {
  constructor() {
    super('The program held the writer for more than 1 second while others waited for it.')
  }
}

/** Thrown if a token or a person lost access while their program ran. */
export class AccessLostError extends TransactionLostError {}

/** Thrown if the database cannot be written or reached. Nothing of the transaction was saved. */
export class StorageError extends TransactionLostError {
  /**
   * `full`: there is no space left. `unavailable`: the files are missing or cannot be written. Stored data may still be readable in both
   * cases. `unreachable`: the database server is down or accepts no connections.
   */
  readonly problem: 'full' | 'unavailable' | 'unreachable'

  constructor(problem: StorageError['problem'], message: string, options?: ErrorOptions) {
    super(message, options)
    this.problem = problem
  }
}

/** Thrown if the connection was lost during a commit and the database did not say in time whether the transaction was committed. */
export class OutcomeUnknownError extends Error {}

export interface StartErrorOptions extends ErrorOptions {
  /** `empty`: the database contains no data of ours. `unreachable`: its server does not respond. */
  reason?: 'empty' | 'unreachable'
}

/** Thrown if the database cannot be opened. The message says in one sentence what to do, and is shown without a stack trace. */
export class DatabaseStartError extends Error {
  readonly reason: StartErrorOptions['reason']

  constructor(message: string, { reason, ...options }: StartErrorOptions = {}) {
    super(message, options)
    this.reason = reason
  }
}

export class DirectoryInUseError extends DatabaseStartError {}
