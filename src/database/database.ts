import type { Kysely } from 'kysely'

/** Where an operation reads and writes: the database itself, or a transaction that is already open. */
export interface Scope<Tables> {
  /** For reading. On an open transaction it also sees what that transaction wrote. */
  readonly read: Kysely<Tables>
  /**
   * Runs `work` as one transaction (a savepoint where one is already open): what it wrote stays when it resolves and is
   * gone when it rejects; the rejection is passed on. `work` does no outside I/O and may be run again after a conflict.
   */
  transaction<Result>(
    work: (unit: Transaction<Tables>) => Promise<Result>,
    options?: TransactionOptions,
  ): Promise<Result>
}

export interface TransactionOptions {
  /**
   * The account whose records the transaction changes: its programs that have read before it are run again. Absent for
   * bookkeeping that no program reads: the log of runs, the use of tokens, claims of idempotency keys.
   */
  account?: string
  /** Nobody waits for the result, so a program that holds the embedded engine's writer need not be ended for its sake. */
  lowPriority?: boolean
  /**
   * Many such transactions of `account` change the same few records at once, as payments do: on PostgreSQL they wait for
   * the turn of their account, as programs that write do, instead of undoing each other's work. The embedded engine has one
   * writer for all, so it changes nothing there.
   */
  inTurn?: boolean
  /** What a failure means, also one that shows when the transaction ends: a ConflictError runs it again. */
  explain?: (error: unknown) => unknown
}

/** One transaction, seen by the work inside it. */
export interface Transaction<Tables> {
  readonly db: Kysely<Tables>
  /** Runs a part that may be undone alone: a rejection rolls back to where the part began and is passed on. */
  savepoint<Result>(work: () => Promise<Result>): Promise<Result>
  /** Resolves when all statements that were sent are carried out; rejects with the failure of the first that was not. */
  settled(): Promise<void>
  /** A transaction of its own: what was sent is settled by its end, and so need not be waited for. */
  readonly settlesAtEnd?: boolean
}

/**
 * A serializable transaction that stays open until its holder ends it. It begins with the first query: everything it reads
 * is of that one moment, together with what it wrote itself. Each `transaction` on it is a savepoint.
 */
export interface OpenTransaction<Tables> extends Scope<Tables> {
  /** Resolves when all that was written so far is carried out; rejects with TransactionLostError when the whole must be undone. */
  settled(): Promise<void>
  /** Keeps what was written. Rejects with TransactionLostError when the whole has been undone instead. */
  commit(): Promise<void>
  /** Safe to call after a commit or a failure: it then does nothing. */
  rollback(): Promise<void>
}

export interface ProgramOptions {
  /** The account whose records the program reads and changes. */
  account: string
  /** Waits for the right to write before the first query, so that no other program of the account can get there first. */
  holdFromStart?: boolean
  /** An abort ends all waiting; from the end of the transaction on, its reason is what every call is refused with. */
  signal?: AbortSignal
  /** Called when the transaction is undone because it held the embedded engine's writer too long (WriterHeldTooLongError). */
  onHeldTooLong?: () => void
}

/** What the engine has to do now: who waits for the one writer, or for one of the connections. */
export type DatabaseLoad =
  | { engine: 'sqlite'; waiting: number }
  | { engine: 'postgres'; waiting: number; busy: number; idle: number }

/** Hears how long turns with the embedded engine's writer took, in milliseconds. */
export interface WriterWatch {
  waited(kind: 'short' | 'program', waitedMs: number): void
  /** From the beginning of a transaction to its end. */
  held(kind: 'short' | 'program', heldMs: number): void
}

export interface Database<Tables> extends Scope<Tables> {
  readonly engine: 'sqlite' | 'postgres'
  /**
   * Makes a program's transaction. Its first query begins it; its first write waits for the writer of the embedded engine, or
   * for the turn of its account on PostgreSQL, and holds it until the end. Always end it with `commit` or `rollback`.
   */
  program(options: ProgramOptions): OpenTransaction<Tables>
  load(): DatabaseLoad
  /** Resolves when the database answers and can be written; rejects with StorageError when its files are gone. */
  ping(): Promise<void>
  close(): Promise<void>
}

/** Nothing more can be done in this transaction, and nothing of it will be kept. */
export class TransactionLostError extends Error {
  override name = 'TransactionLostError'
}

/** Another transaction got there first (SQLSTATE 40001, 40P01): roll back and run the whole again. */
export class ConflictError extends TransactionLostError {
  override name = 'ConflictError'
}

/** A program held the embedded engine's writer too long while others waited for it; it has been rolled back. */
export class WriterHeldTooLongError extends TransactionLostError {
  override name = 'WriterHeldTooLongError'

  constructor() {
    super('The program held the writer for more than 1 second while others waited for it.')
  }
}

/** The storage takes no writes. Nothing of the transaction was kept. */
export class StorageError extends TransactionLostError {
  override name = 'StorageError'
  /**
   * `full`: there is no space left. `unavailable`: the files are gone, or cannot be written. What was stored before can be read in
   * both cases. `unreachable`: the server of the database is down, or gives no connection.
   */
  readonly problem: 'full' | 'unavailable' | 'unreachable'

  constructor(problem: StorageError['problem'], message: string, options?: ErrorOptions) {
    super(message, options)
    this.problem = problem
  }
}

/** The database was lost while it committed, and did not say in time what came of it: all was kept, or nothing. */
export class OutcomeUnknownError extends Error {
  override name = 'OutcomeUnknownError'
}

export interface StartErrorOptions extends ErrorOptions {
  /** `empty`: the database holds no data of ours. `unreachable`: its server does not answer. */
  reason?: 'empty' | 'unreachable'
}

/** A start that cannot succeed, told in one sentence with what to do; shown without a stack trace. */
export class DatabaseStartError extends Error {
  override name = 'DatabaseStartError'
  readonly reason: StartErrorOptions['reason']

  constructor(message: string, { reason, ...options }: StartErrorOptions = {}) {
    super(message, options)
    this.reason = reason
  }
}

/** Another process of this program has the data directory. */
export class DirectoryInUseError extends DatabaseStartError {
  override name = 'DirectoryInUseError'
}
