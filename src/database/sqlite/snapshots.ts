import type { CompiledQuery, QueryResult } from 'kysely'
import { ConflictError } from '../database.ts'
import type { AccountChanges, Watch } from './account-changes.ts'
import type { SqliteConnection } from './connection.ts'
import type { LogLimit } from './log-limit.ts'

/**
 * The maximum number of idle connections that are kept open. Usually, only a few programs read at the same time; when there are
 * more, more connections are opened.
 */
const KEPT_CONNECTIONS = 4

type ReleaseConnection = (snapshot: Snapshot, connection: SqliteConnection) => void

/** A read transaction on the whole database for a program of one account. */
export class Snapshot {
  readonly #connection: SqliteConnection
  readonly #watch: Watch
  readonly #release: ReleaseConnection
  #state: 'open' | 'revoked' | 'ended' = 'open'

  constructor(connection: SqliteConnection, watch: Watch, release: ReleaseConnection) {
    this.#connection = connection
    this.#watch = watch
    this.#release = release
  }

  /** Whether a commit has changed the account, or may have, because the snapshot was revoked. */
  get outdated(): boolean {
    return this.#state === 'revoked' || this.#watch.changed
  }

  /** Runs a query in the snapshot. Throws ConflictError if the snapshot was revoked. */
  execute<Row>(query: CompiledQuery): QueryResult<Row> {
    if (this.#state === 'revoked') throw new ConflictError('The program read for too long.')
    return this.#connection.execute<Row>(query)
  }

  /** Ends the snapshot while its program may still need it. The program's next read or first write then throws a ConflictError. */
  revoke(): void {
    if (this.#state === 'open') this.#end('revoked')
  }

  end(): void {
    if (this.#state === 'open') this.#end('ended')
  }

  #end(state: 'revoked' | 'ended'): void {
    this.#state = state
    this.#watch.stop()
    this.#release(this, this.#connection)
  }
}

export class Snapshots {
  readonly #open: () => SqliteConnection
  readonly #changes: AccountChanges
  readonly #limit: LogLimit
  readonly #idle: SqliteConnection[] = []
  #closed = false

  constructor(open: () => SqliteConnection, changes: AccountChanges, limit: LogLimit) {
    this.#open = open
    this.#changes = changes
    this.#limit = limit
  }

  /** Begins a snapshot. Waits while the write-ahead log is too long. An abort while waiting rejects with the signal's reason. */
  async pin(account: string, signal?: AbortSignal): Promise<Snapshot> {
    const paused = this.#limit.admit(signal)
    if (paused) await paused
    return this.#pinNow(account)
  }

  close(): void {
    this.#closed = true
    for (const connection of this.#idle.splice(0)) connection.close()
  }

  /** Begins a snapshot synchronously, so that no commit can happen between the first read and the start of the watch. */
  #pinNow(account: string): Snapshot {
    if (this.#closed) throw new Error('The database is closed.')
    const connection = this.#idle.pop() ?? this.#open()
    try {
      connection.command('begin')
      // SQLite begins the snapshot with the first read, not with BEGIN.
      connection.command('select 1 from sqlite_schema limit 1')
    } catch (error) {
      connection.close()
      throw error
    }
    const snapshot = new Snapshot(connection, this.#changes.watch(account), this.#release)
    this.#limit.snapshotBegan(snapshot)
    return snapshot
  }

  readonly #release: ReleaseConnection = (snapshot, connection) => {
    connection.command('rollback')
    if (this.#closed || this.#idle.length >= KEPT_CONNECTIONS) connection.close()
    else this.#idle.push(connection)
    this.#limit.snapshotEnded(snapshot)
  }
}
