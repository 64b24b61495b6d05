import type { Kysely } from 'kysely'

/** Where an operation reads and writes: the database itself, or a transaction that is already open. */
export interface Scope<Tables> {
  /** For reading. On an open transaction it also sees what that transaction wrote. */
  readonly read: Kysely<Tables>
  /**
   * Runs `work` as one transaction (a savepoint where one is already open): what it wrote stays when it resolves and is
   * gone when it rejects; the rejection is passed on. `work` does no outside I/O and may be run again after a conflict.
   */
  transaction<Result>(work: (unit: Unit<Tables>) => Promise<Result>): Promise<Result>
}

/** One transaction, seen by the work inside it. */
export interface Unit<Tables> {
  readonly db: Kysely<Tables>
  /** Runs a part that may be undone alone: a rejection rolls back to where the part began and is passed on. */
  savepoint<Result>(work: () => Promise<Result>): Promise<Result>
}

/** A transaction that stays open until its holder ends it; each `transaction` on it is a savepoint. */
export interface OpenTransaction<Tables> extends Scope<Tables> {
  commit(): Promise<void>
  /** Safe to call after a commit or a failure: it then does nothing. */
  rollback(): Promise<void>
}

export interface Database<Tables> extends Scope<Tables> {
  readonly engine: 'sqlite' | 'postgres'
  /** Opens a transaction for a program. On the embedded engine it waits for, and then holds, the one writer. */
  begin(options?: { signal?: AbortSignal }): Promise<OpenTransaction<Tables>>
  /** Resolves when the database answers; rejects when it does not. */
  ping(): Promise<void>
  close(): Promise<void>
}

/** Another transaction got there first (SQLSTATE 40001, 40P01): roll back and run the whole again. */
export class ConflictError extends Error {
  override name = 'ConflictError'
}

/** A start that cannot succeed, told in one sentence with what to do; shown without a stack trace. */
export class DatabaseStartError extends Error {
  override name = 'DatabaseStartError'
}

/** Another process of this program has the data directory. */
export class DirectoryInUseError extends DatabaseStartError {
  override name = 'DirectoryInUseError'
}
