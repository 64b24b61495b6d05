import { StorageError } from '../database.ts'

/** SQLSTATE codes, from https://www.postgresql.org/docs/current/errcodes-appendix.html. */
const DISK_FULL = '53100'
const READ_ONLY_TRANSACTION = '25006'

/** A StorageError when the server took no write and nothing was kept; any other error as it is. */
export function explained(error: unknown): unknown {
  const { code } = error as { code?: unknown }
  if (code === DISK_FULL)
    return new StorageError('full', "The disk of the database's server is full.", { cause: error })
  if (code === READ_ONLY_TRANSACTION)
    return new StorageError('unavailable', "The database's server only reads.", { cause: error })
  return error
}
