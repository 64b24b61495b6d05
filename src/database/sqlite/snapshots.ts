import type { CompiledQuery, QueryResult } from 'kysely'
import { ConflictError } from '../database.ts'
import type { AccountChanges, Watch } from './account-changes.ts'
import type { SqliteConnection } from './connection.ts'
import type { LogLimit } from './log-limit.ts'

/** Programs that read at the same time are few; a burst of them opens more connections for a while. */
const KEPT_CONNECTIONS = 4

type GiveBack = (snapshot: Snapshot, connection: SqliteConnection) => void

/** The whole database as it was at one moment, for one account's program. */
export class Snapshot {
  readonly #connection: SqliteConnection
  readonly #watch: Watch
  readonly #giveBack: GiveBack
  #state: 'open' | 'revoked' | 'ended' = 'open'

  constructor(connection: SqliteConnection, watch: Watch, giveBack: GiveBack) {
    this.#connection = connection
    this.#watch = watch
    this.#giveBack = giveBack
  }

  /** True once a commit has changed the account, and when nobody can say any more. */
  get outdated(): boolean {
    return this.#state === 'revoked' || this.#watch.changed
  }

  /** Throws ConflictError when the snapshot was revoked. */
  execute<Row>(query: CompiledQuery): QueryResult<Row> {
    if (this.#state === 'revoked') throw new ConflictError('The program read for too long.')
    return this.#connection.execute<Row>(query)
  }

  /** Ends it against the reader's will: he reads all of it again, or goes on with what he has read. */
  revoke(): void {
    if (this.#state === 'open') this.#end('revoked')
  }

  end(): void {
    if (this.#state === 'open') this.#end('ended')
  }

  #end(state: 'revoked' | 'ended'): void {
    this.#state = state
    this.#watch.stop()
    this.#giveBack(this, this.#connection)
  }
}

/** Pins snapshots, each on a connection of its own that is used again afterwards. */
export class Snapshots {
  readonly #open: () => SqliteConnection
  readonly #changes: AccountChanges
  readonly #limit: LogLimit
  readonly #idle: SqliteConnection[] = []
  #closed = false

  /** `open` gives a connection that can only read. */
  constructor(open: () => SqliteConnection, changes: AccountChanges, limit: LogLimit) {
    this.#open = open
    this.#changes = changes
    this.#limit = limit
  }

  /** Waits while the log of commits is too long. An abort while waiting rejects with the signal's reason. */
  async pin(account: string, signal?: AbortSignal): Promise<Snapshot> {
    const paused = this.#limit.admit(signal)
    if (paused) await paused
    return this.#pinNow(account)
  }

  close(): void {
    this.#closed = true
    for (const connection of this.#idle.splice(0)) connection.close()
  }

  /** Does all in one step, so that no commit can come between the moment and the watch over the account. */
  #pinNow(account: string): Snapshot {
    if (this.#closed) throw new Error('The database is closed.')
    const connection = this.#idle.pop() ?? this.#open()
    try {
      connection.command('begin')
      // The moment is that of the first read, not of BEGIN.
      connection.command('select 1 from sqlite_schema limit 1')
    } catch (error) {
      connection.close()
      throw error
    }
    const snapshot = new Snapshot(connection, this.#changes.watch(account), this.#giveBack)
    this.#limit.snapshotBegan(snapshot)
    return snapshot
  }

  readonly #giveBack: GiveBack = (snapshot, connection) => {
    connection.command('rollback')
    if (this.#closed || this.#idle.length >= KEPT_CONNECTIONS) connection.close()
    else this.#idle.push(connection)
    this.#limit.snapshotEnded(snapshot)
  }
}
