import { StorageError } from '../database.ts'

/** The primary result codes of SQLite, from https://www.sqlite.org/rescode.html. */
export const SQLITE_BUSY = 5
export const SQLITE_READONLY = 8
export const SQLITE_IOERR = 10
export const SQLITE_CORRUPT = 11
export const SQLITE_FULL = 13
export const SQLITE_CANTOPEN = 14
export const SQLITE_NOTADB = 26

const SQLITE_IOERR_WRITE = 778
const SQLITE_IOERR_TRUNCATE = 1_546
const SQLITE_IOERR_SHMOPEN = 4_618
const SQLITE_IOERR_SHMSIZE = 4_874
const SQLITE_IOERR_SHMMAP = 5_386

export function primaryCode(error: unknown): number | undefined {
  const code = extendedCode(error)
  return code === undefined ? undefined : code & 0xff
}

export function hasCode(error: unknown, code: number): boolean {
  return primaryCode(error) === code
}

/**
 * Returns a StorageError if the write failed and nothing was saved. A failed fsync (SQLITE_IOERR_FSYNC) is not a StorageError, because
 * the data may have reached the disk anyway.
 */
export function explained(error: unknown): unknown {
  const problem = storageProblem(error)
  if (problem === undefined) return error
  const message = problem === 'full' ? 'The database’s disk is full.' : 'The database cannot be written.'
  return new StorageError(problem, message, { cause: error })
}

function storageProblem(error: unknown): StorageError['problem'] | undefined {
  switch (extendedCode(error)) {
    // On a full disk, SQLite cannot extend the index of the write-ahead log.
    case SQLITE_IOERR_SHMSIZE:
      return 'full'
    case SQLITE_IOERR_WRITE:
    case SQLITE_IOERR_TRUNCATE:
    case SQLITE_IOERR_SHMOPEN:
    case SQLITE_IOERR_SHMMAP:
      return 'unavailable'
  }
  switch (primaryCode(error)) {
    case SQLITE_FULL:
      return 'full'
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
      return 'unavailable'
  }
}

function extendedCode(error: unknown): number | undefined {
  const code = (error as { errcode?: unknown } | null)?.errcode
  return typeof code === 'number' ? code : undefined
}
