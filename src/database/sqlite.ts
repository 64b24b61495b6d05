import { type Stats, statSync } from 'node:fs'
import { CompiledQuery, type Kysely, sql } from 'kysely'
import {
  type Database,
  type DatabaseLoad,
  type OpenTransaction,
  type ProgramOptions,
  StorageError,
  type Transaction,
  type TransactionOptions,
  type WriterWatch,
} from './database.ts'
import { type Migration, migrate, requireMigrated } from './migrate.ts'
import { ProgramTransaction } from './open-transaction.ts'
import { type RunCommand, RunningTransaction } from './running-transaction.ts'
import { AccountChanges } from './sqlite/account-changes.ts'
import type { SqliteConnection } from './sqlite/connection.ts'
import { readHandle, SqliteTransaction } from './sqlite/handle.ts'
import { lockDirectory, type ProcessLock } from './sqlite/lock.ts'
import { LogCopier } from './sqlite/log-copier.ts'
import { LogLimit, type LogPages } from './sqlite/log-limit.ts'
import { migrationSession } from './sqlite/migration-session.ts'
import { type ProgramParts, SqliteProgram } from './sqlite/program.ts'
import { Snapshots } from './sqlite/snapshots.ts'
import {
  type Connections,
  databasePath,
  openConnections,
  placeOf,
  requireDatabase,
  startError,
} from './sqlite/start.ts'
import { Writer } from './sqlite/writer.ts'

/** The suffixes of the files with the write-ahead log and with its index in shared memory. */
const LOG = '-wal'
const LOG_INDEX = '-shm'
/** A transaction does not check the files if the last check is more recent than this, because the commit checks them, too. */
const RECENT_MS = 50

export interface SqliteOptions {
  /** Contains `shopwright.db`. It is created if it is missing. */
  directory: string
  migrations: Migration[]
  /** Whether to leave the directory unlocked, for a short command that may run while a server uses the directory. */
  shared?: boolean
  writerWatch?: WriterWatch | undefined
  /** Whether the database must already exist with an up-to-date schema, for commands that need an existing service. */
  existing?: boolean
}

/** Opens the embedded database and updates its schema. Throws DatabaseStartError if the directory is in use or cannot be used. */
export async function openSqlite<Tables>(options: SqliteOptions): Promise<Database<Tables>> {
  const { directory, shared = false, writerWatch, existing = false } = options
  if (existing) requireDatabase(directory)
  const lock = shared ? undefined : lockDirectory(directory)
  try {
    const connections = await openMigrated({ ...options, shared, existing })
    return new SqliteDatabase<Tables>(connections, lock, writerWatch)
  } catch (error) {
    lock?.release()
    throw startError(error, directory)
  }
}

async function openMigrated({
  directory,
  migrations,
  shared,
  existing,
}: SqliteOptions & { shared: boolean; existing: boolean }): Promise<OpenedDatabase> {
  const connections = openConnections(directory, shared)
  const { writing } = connections
  try {
    const session = migrationSession(writing)
    if (existing) await requireMigrated(session, migrations, placeOf(directory))
    else await migrate(session, migrations)
    // SQLite opens a read-only file without an error. This statement changes nothing, but it fails on such a file.
    writing.raw.exec('delete from schema_migrations where false')
    // From here on, the writer polls for the lock, because the busy handler of SQLite would block the whole process.
    writing.raw.exec('pragma busy_timeout = 0')
    const files = new DatabaseFiles(databasePath(directory))
    return { ...connections, files }
  } catch (error) {
    connections.reading.close()
    connections.writing.close()
    throw error
  }
}

interface OpenedDatabase extends Connections {
  files: DatabaseFiles
}

class SqliteDatabase<Tables> implements Database<Tables> {
  readonly engine = 'sqlite'
  readonly read: Kysely<Tables>
  readonly #connections: Connections
  readonly #files: DatabaseFiles
  readonly #limit: LogLimit
  readonly #copier: LogCopier
  readonly #lock: ProcessLock | undefined
  readonly #writer: Writer
  readonly #snapshots: Snapshots
  readonly #program: ProgramParts
  readonly #transactions: { command: RunCommand }

  constructor({ files, ...connections }: OpenedDatabase, lock?: ProcessLock, watch?: WriterWatch) {
    const { writing, reading, lockWaitMs } = connections
    const changes = new AccountChanges()
    const limit = new LogLimit({
      pages: () => logPages(writing),
      betweenTurns: (work) => this.#writer.betweenTurns(work),
      copy: () => this.#copyLog(),
      copyRest: () => writing.command('pragma wal_checkpoint(passive)'),
      truncate: () => writing.command('pragma wal_checkpoint(truncate)'),
    })
    this.#copier = new LogCopier(files.path)
    this.#connections = connections
    this.#files = files
    this.#limit = limit
    this.#lock = lock
    this.#writer = new Writer(writing, changes, {
      lockWaitMs,
      watch,
      beforeBegin: () => files.checkUnlessSeen(),
      afterCommit: () => {
        files.checkCommitted()
        limit.noticeCommit()
      },
    })
    this.#snapshots = new Snapshots(() => this.#openSnapshot(), changes, limit)
    this.#program = { writing, writer: this.#writer, snapshots: this.#snapshots }
    this.#transactions = { command: (command) => writing.command(command) }
    this.read = readHandle(reading)
  }

  async transaction<Result>(
    work: (unit: Transaction<Tables>) => Promise<Result>,
    options?: TransactionOptions,
  ): Promise<Result> {
    RunningTransaction.refuseInside(this)
    const turn = await this.#writer.share(options)
    const handle = new SqliteTransaction<Tables>(this.#connections.writing)
    let result: Result
    try {
      result = await new RunningTransaction(this, handle.db, this.#transactions).run(work)
      handle.refuseLost()
    } catch (error) {
      handle.end()
      await turn.fail(error)
      throw error
    }
    handle.end()
    await turn.finish()
    return result
  }

  program(options: ProgramOptions): OpenTransaction<Tables> {
    RunningTransaction.refuseInside(this)
    return new ProgramTransaction<Tables>(new SqliteProgram(this.#program, options))
  }

  load(): DatabaseLoad {
    return { engine: 'sqlite', waiting: this.#writer.waiting }
  }

  async ping(): Promise<void> {
    this.#files.check()
    await sql`select 1 from sqlite_schema limit 1`.execute(this.read)
  }

  async close(): Promise<void> {
    await this.#limit.settled()
    await this.#writer.close()
    await this.#limit.settled()
    await this.#copier.close()
    this.#snapshots.close()
    this.#connections.reading.close()
    this.#connections.writing.close()
    this.#lock?.release()
  }

  /** Checks the files first, because SQLite would create missing ones and use an empty database. */
  #openSnapshot(): SqliteConnection {
    this.#files.check()
    return this.#connections.openSnapshot()
  }

  async #copyLog(): Promise<void> {
    this.#files.check()
    await this.#copier.copy()
  }
}

const STATE_OF_LOG = CompiledQuery.raw('pragma wal_checkpoint(noop)')

/** Returns the size of the write-ahead log without copying anything, which takes a microsecond. */
function logPages(connection: SqliteConnection): LogPages {
  const [state] = connection.execute<{ log: number; checkpointed: number }>(STATE_OF_LOG).rows
  return { inLog: Number(state?.log), copied: Number(state?.checkpointed) }
}

/**
 * Checks the files that the open connections use. If they are deleted or replaced, SQLite continues without an error in the deleted
 * files, and everything that is committed from then on is lost when the process ends.
 */
class DatabaseFiles {
  readonly path: string
  readonly #opened: { path: string; file: Stats | undefined }[]
  #seenAt = Number.NEGATIVE_INFINITY

  /** Create the object after the connections have read, because the first read creates all files. */
  constructor(path: string) {
    this.path = path
    this.#opened = ['', LOG_INDEX, LOG].map((suffix) => ({ path: path + suffix, file: fileAt(path + suffix) }))
  }

  /** Throws StorageError if a path no longer refers to the open file. */
  check(): void {
    this.#seenAt = Number.NEGATIVE_INFINITY
    for (const { path, file } of this.#opened) {
      const found = fileAt(path)
      if (found?.ino !== file?.ino || found?.dev !== file?.dev)
        throw new StorageError(
          'unavailable',
          `${path} is not the file that this process opened: it was deleted, moved or replaced. Put it back, or start again.`,
        )
    }
    this.#seenAt = performance.now()
  }

  checkUnlessSeen(): void {
    if (performance.now() - this.#seenAt > RECENT_MS) this.check()
  }

  /**
   * Throws an Error if the files have disappeared. It is not a StorageError, which would mean that nothing was saved: the commit
   * is saved if somebody puts the files back.
   */
  checkCommitted(): void {
    try {
      this.check()
    } catch (cause) {
      throw new Error('The files of the database went away while it was written.', { cause })
    }
  }
}

function fileAt(path: string): Stats | undefined {
  return statSync(path, { throwIfNoEntry: false })
}
