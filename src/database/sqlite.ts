import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { Database, OpenTransaction, Unit } from './database.ts'
import { type Migration, migrate } from './migrate.ts'
import { HeldTransaction } from './open-transaction.ts'
import type { SqliteConnection } from './sqlite/connection.ts'
import { readHandle, TransactionHandle } from './sqlite/handle.ts'
import { lockDirectory, type ProcessLock } from './sqlite/lock.ts'
import { migrationSession } from './sqlite/migration-session.ts'
import { SqliteSession } from './sqlite/session.ts'
import { type Connections, openConnections, startError } from './sqlite/start.ts'
import { Writer } from './sqlite/writer.ts'
import { OpenUnit, type RunCommand } from './unit.ts'

export interface SqliteOptions {
  /** Where `shopwright.db` is; made when it is missing. */
  directory: string
  migrations: Migration[]
  /** For a short command beside a running server: does not claim the directory for this process. */
  shared?: boolean
}

/**
 * Opens the embedded database, bringing its schema up to date.
 * Throws DatabaseStartError when the directory is in use, cannot be used, or holds no database of ours.
 */
export async function openSqlite<Tables>(options: SqliteOptions): Promise<Database<Tables>> {
  const { directory, migrations, shared = false } = options
  const lock = shared ? undefined : lockDirectory(directory)
  try {
    const connections = await openMigrated(directory, migrations, shared)
    return new SqliteDatabase<Tables>(connections, lock)
  } catch (error) {
    lock?.release()
    throw startError(error, directory)
  }
}

async function openMigrated(directory: string, migrations: Migration[], shared: boolean): Promise<Connections> {
  const connections = openConnections(directory, shared)
  try {
    await migrate(migrationSession(connections.writing), migrations)
    return connections
  } catch (error) {
    connections.reading.close()
    connections.writing.close()
    throw error
  }
}

class SqliteDatabase<Tables> implements Database<Tables> {
  readonly engine = 'sqlite'
  readonly read: Kysely<Tables>
  readonly #writing: SqliteConnection
  readonly #reading: SqliteConnection
  readonly #lock: ProcessLock | undefined
  readonly #writer: Writer
  readonly #command: RunCommand

  constructor({ writing, reading }: Connections, lock: ProcessLock | undefined) {
    this.#writing = writing
    this.#reading = reading
    this.#lock = lock
    this.#writer = new Writer(writing)
    this.#command = (command) => writing.command(command)
    this.read = readHandle(reading)
  }

  async transaction<Result>(work: (unit: Unit<Tables>) => Promise<Result>): Promise<Result> {
    OpenUnit.refuseInside(this)
    const turn = await this.#writer.share()
    const handle = new TransactionHandle<Tables>(this.#writing)
    let result: Result
    try {
      result = await new OpenUnit(this, handle.db, this.#command).run(work)
    } catch (error) {
      handle.end()
      await turn.fail()
      throw error
    }
    handle.end()
    await turn.finish()
    return result
  }

  async begin({ signal }: { signal?: AbortSignal } = {}): Promise<OpenTransaction<Tables>> {
    OpenUnit.refuseInside(this)
    return new HeldTransaction<Tables>(new SqliteSession(this.#writing, await this.#writer.hold(signal)))
  }

  async ping(): Promise<void> {
    await sql`select 1`.execute(this.read)
  }

  async close(): Promise<void> {
    await this.#writer.close()
    this.#reading.close()
    this.#writing.close()
    this.#lock?.release()
  }
}
