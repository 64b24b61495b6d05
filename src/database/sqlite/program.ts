import type { CompiledQuery, Kysely, QueryResult } from 'kysely'
import { ConflictError, type ProgramOptions, WriterHeldTooLongError } from '../database.ts'
import { endedError, type ProgramConnection } from '../open-transaction.ts'
import type { SqliteConnection } from './connection.ts'
import { handleOver, SqliteTransaction } from './handle.ts'
import type { Snapshot, Snapshots } from './snapshots.ts'
import type { Writer } from './writer.ts'
import type { WriterLease } from './writer-lease.ts'

export interface ProgramParts {
  writing: SqliteConnection
  writer: Writer
  snapshots: Snapshots
}

/**
 * The transaction of a program on the embedded engine. It reads from a snapshot until its first write. Then it waits for the writer lock,
 * checks that its account has not changed since the snapshot, and continues on the writing connection.
 */
export class SqliteProgram<Tables> implements ProgramConnection<Tables> {
  readonly db: Kysely<Tables> = handleOver(<Row>(query: CompiledQuery) => this.#execute<Row>(query))
  readonly #parts: ProgramParts
  readonly #options: ProgramOptions
  #pinning: Promise<void> | undefined
  #snapshot: Snapshot | undefined
  #handle: SqliteTransaction<Tables> | undefined
  #turn: WriterLease | undefined
  #takingWriter: Promise<void> | undefined
  #wrote = false
  /** The error with which every call is rejected after the program has ended or lost the writer lock. */
  #refusal: unknown

  constructor(parts: ProgramParts, options: ProgramOptions) {
    this.#parts = parts
    this.#options = options
  }

  readonly command = (sql: string): void => {
    this.#refuseEnded()
    this.#parts.writing.command(sql)
  }

  async beginWriting(): Promise<void> {
    await this.#takeWriter()
    this.#wrote = true
  }

  async end(how: 'commit' | 'rollback'): Promise<void> {
    if (how === 'commit') {
      this.#refuseEnded()
      this.#handle?.refuseLost()
    }
    this.#refusal ??= endedError(this.#options.signal)
    this.#endSnapshot()
    const turn = this.#turn
    this.#turn = undefined
    if (how === 'commit' && this.#wrote) await turn?.finish()
    else await turn?.fail()
  }

  async #execute<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    if (this.#options.holdFromStart) await this.#takeWriter()
    this.#refuseEnded()
    if (!this.#handle && !this.#snapshot) await this.#pin()
    return (this.#handle ?? this.#snapshot!).execute<Row>(query)
  }

  #pin(): Promise<void> {
    this.#pinning ??= this.#waitForSnapshot()
    return this.#pinning
  }

  async #waitForSnapshot(): Promise<void> {
    const { account, signal } = this.#options
    const snapshot = await this.#parts.snapshots.pin(account, signal)
    // While the program waited for the snapshot, it may have ended or begun to write.
    if (this.#refusal === undefined && !this.#handle) this.#snapshot = snapshot
    else snapshot.end()
    this.#refuseEnded()
  }

  #takeWriter(): Promise<void> {
    this.#takingWriter ??= this.#waitForWriter()
    return this.#takingWriter
  }

  async #waitForWriter(): Promise<void> {
    this.#refuseEnded()
    this.#refuseOutdated()
    const { account, signal } = this.#options
    this.#turn = await this.#parts.writer.hold(account, { signal, onTakenAway: this.#loseWriter })
    try {
      this.#refuseEnded()
      this.#refuseOutdated()
    } catch (error) {
      await this.#turn.fail()
      throw error
    }
    this.#endSnapshot()
    this.#handle = new SqliteTransaction(this.#parts.writing)
  }

  #refuseOutdated(): void {
    if (this.#snapshot?.outdated) throw new ConflictError('The account was changed after the program began to read it.')
  }

  readonly #loseWriter = (): void => {
    this.#refusal ??= new WriterHeldTooLongError()
    this.#options.onHeldTooLong?.()
  }

  #endSnapshot(): void {
    this.#snapshot?.end()
    this.#snapshot = undefined
  }

  #refuseEnded(): void {
    if (this.#refusal !== undefined) throw this.#refusal
  }
}
