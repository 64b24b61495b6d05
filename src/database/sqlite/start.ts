import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { DatabaseStartError } from '../database.ts'
import { noData } from '../migrate.ts'
import { SqliteConnection } from './connection.ts'
import * as code from './errors.ts'

/** How long a server waits for the lock. Commands that run at the same time write only for milliseconds. */
const SERVER_BUSY_MS = 2_000
/** How long a command waits for the lock. A program of the server holds the lock until the program ends. */
const COMMAND_BUSY_MS = 30_000
const CACHE_KIB = 65_536
/** The page cache of a snapshot's connection. It is small, because programs read little and share the memory-mapped file. */
const SNAPSHOT_CACHE_KIB = 4_096
const MMAP_BYTES = 268_435_456
/** When a larger write-ahead log restarts, SQLite shrinks it to this size. */
const KEPT_LOG_BYTES = 16 * 1024 * 1024

/** Creates a missing data directory, which only the current user can access. */
export function makeDirectory(directory: string): void {
  // `recursive` is not used, because Node.js retries forever below a path such as /proc, where mkdir fails with ENOENT.
  if (!existsSync(dirname(directory))) makeDirectory(dirname(directory))
  try {
    mkdirSync(directory, { mode: 0o700 })
  } catch (error) {
    if (!statSync(directory, { throwIfNoEntry: false })?.isDirectory()) throw error
  }
}

/**
 * Syncs the directory entries of a data directory and of its parents, which may be new, too. Otherwise a power loss could remove
 * a new directory with everything in it. Stops at the first parent that the user may not read, because this process did not
 * create it.
 */
function syncDirectoryEntries(directory: string): void {
  const above = dirname(directory)
  if (above === directory) return
  try {
    const handle = openSync(above, 'r')
    fsyncSync(handle)
    closeSync(handle)
  } catch {
    return
  }
  syncDirectoryEntries(above)
}

export interface Connections {
  writing: SqliteConnection
  reading: SqliteConnection
  openSnapshot: () => SqliteConnection
  /** How long a transaction waits for another process to unlock the database. */
  lockWaitMs: number
}

export function databasePath(directory: string): string {
  return join(directory, 'shopwright.db')
}

export function placeOf(directory: string): string {
  return `The data directory ${resolve(directory)}`
}

export function requireDatabase(directory: string): void {
  try {
    if (statSync(databasePath(directory), { throwIfNoEntry: false })) return
  } catch (error) {
    throw startError(error, directory)
  }
  throw noData(placeOf(directory))
}

export function openConnections(directory: string, shared: boolean): Connections {
  const lockWaitMs = shared ? COMMAND_BUSY_MS : SERVER_BUSY_MS
  makeDirectory(directory)
  if (!shared) syncDirectoryEntries(resolve(directory))
  const path = databasePath(directory)
  const writing = openConnection(path, lockWaitMs, CACHE_KIB)
  try {
    writing.raw.exec(
      // Automatic checkpoints are disabled, because they would block the process during a commit. Another thread copies the log.
      `pragma journal_mode = wal; pragma synchronous = full; pragma wal_autocheckpoint = 0; pragma journal_size_limit = ${KEPT_LOG_BYTES}`,
    )
    const reading = openReading(path, lockWaitMs, CACHE_KIB)
    return { writing, reading, lockWaitMs, openSnapshot: () => openReading(path, lockWaitMs, SNAPSHOT_CACHE_KIB) }
  } catch (error) {
    writing.close()
    throw error
  }
}

function openReading(path: string, busyTimeoutMs: number, cacheKib: number): SqliteConnection {
  const connection = openConnection(path, busyTimeoutMs, cacheKib)
  connection.raw.exec('pragma query_only = on')
  return connection
}

function openConnection(path: string, busyTimeoutMs: number, cacheKib: number): SqliteConnection {
  const connection = new SqliteConnection(path, busyTimeoutMs)
  connection.raw.exec(`pragma cache_size = -${cacheKib}; pragma mmap_size = ${MMAP_BYTES}; pragma temp_store = memory`)
  return connection
}

/** Returns a DatabaseStartError that explains how to fix an error of opening `directory`. Returns other errors unchanged. */
export function startError(error: unknown, directory: string): unknown {
  if (error instanceof DatabaseStartError) return error
  const path = databasePath(directory)
  const sentence = sqliteSentence(error, path) ?? fileSentence(error, directory)
  return sentence ? new DatabaseStartError(sentence, { cause: error }) : error
}

function sqliteSentence(error: unknown, path: string): string | undefined {
  switch (code.primaryCode(error)) {
    case code.SQLITE_NOTADB:
    case code.SQLITE_CORRUPT:
      return `${path} is not a usable SQLite database (it is damaged or another kind of file): restore a backup, or move it away to start empty.`
    case code.SQLITE_CANTOPEN:
    case code.SQLITE_READONLY:
      return `${path} cannot be opened for writing${ownedBy(path)}: give this user the right to read and write it and its directory, or set DATA_DIR to another directory.`
    case code.SQLITE_FULL:
      return `The disk that holds ${path} is full: free some space and start again.`
    case code.SQLITE_IOERR:
      return `The disk that holds ${path} fails when read or written: check the disk, or set DATA_DIR to another one.`
    case code.SQLITE_BUSY:
      return `Another process keeps ${path} locked: stop it, or set DATA_DIR to another directory.`
  }
}

/** Returns the part of a message that says that another user owns the file or that it is read-only. */
function ownedBy(path: string): string {
  const own = process.geteuid?.()
  let owner: number | undefined
  try {
    owner = (statSync(path, { throwIfNoEntry: false }) ?? statSync(dirname(path))).uid
  } catch {
    return ''
  }
  if (own === undefined || owner === own) return '; it or its disk only reads'
  return `; it belongs to user ${owner}, and this process runs as user ${own} (chown -R ${own} ${dirname(path)} as root)`
}

function fileSentence(error: unknown, directory: string): string | undefined {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'EACCES':
    case 'EPERM':
    case 'ENOENT':
      return `The data directory ${directory} cannot be used by this user: give it the right to read and write there, or set DATA_DIR to another directory.`
    case 'EROFS':
      return `The data directory ${directory} is on a disk that is mounted read-only: mount it for writing, or set DATA_DIR to another directory.`
    case 'EEXIST':
    case 'ENOTDIR':
      return `The data directory ${directory} is a file, or is inside one: set DATA_DIR to a directory.`
    case 'ENOSPC':
      return `The disk that holds the data directory ${directory} is full: free some space and start again.`
  }
}
