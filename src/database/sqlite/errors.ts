import { StorageError } from '../database.ts'

/** Primary result codes, from https://www.sqlite.org/rescode.html. */
export const SQLITE_BUSY = 5
export const SQLITE_READONLY = 8
export const SQLITE_IOERR = 10
export const SQLITE_CORRUPT = 11
export const SQLITE_FULL = 13
export const SQLITE_CANTOPEN = 14
export const SQLITE_NOTADB = 26

/** Extended result codes of SQLITE_IOERR. */
const SQLITE_IOERR_WRITE = 778
const SQLITE_IOERR_TRUNCATE = 1_546
const SQLITE_IOERR_SHMOPEN = 4_618
const SQLITE_IOERR_SHMSIZE = 4_874
const SQLITE_IOERR_SHMMAP = 5_386

/** The primary result code of an error that SQLite threw; undefined for any other error. */
export function primaryCode(error: unknown): number | undefined {
  const code = extendedCode(error)
  return code === undefined ? undefined : code & 0xff
}

export function hasCode(error: unknown, code: number): boolean {
  return primaryCode(error) === code
}

/**
 * A StorageError when the storage took no write and nothing was kept; any other error as it is. A failed fsync
 * (SQLITE_IOERR_FSYNC) is another error, because what it was for may be on the disk all the same.
 */
export function explained(error: unknown): unknown {
  const problem = storageProblem(error)
  if (problem === undefined) return error
  const message = problem === 'full' ? 'The database’s disk is full.' : 'The database cannot be written.'
  return new StorageError(problem, message, { cause: error })
}

function storageProblem(error: unknown): StorageError['problem'] | undefined {
  switch (extendedCode(error)) {
    // The index of the log is made larger in steps, which is what fails on a full disk.
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
