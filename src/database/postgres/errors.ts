import { StorageError } from '../database.ts'

/** SQLSTATE codes, from https://www.postgresql.org/docs/current/errcodes-appendix.html. */
const DISK_FULL = '53100'
const READ_ONLY_TRANSACTION = '25006'
/** Beside class 08: too many connections, a server that stops, crashed or starts, and sessions that it has ended. */
const NO_CONNECTION = new Set(['53300', '57P01', '57P02', '57P03', '57P05', '25P03'])
/** What the system says of connections, in Node's names. */
const NO_SOCKET = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ENOENT',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'ENOTFOUND',
  'EAI_AGAIN',
])
/** Errors of `pg` itself, which have no code. */
const NOT_SENT = /is not queryable$/
const CUT = /^Connection terminated|^timeout e(xceeded|xpired)/

/** A StorageError when the server took no write and nothing was kept; any other error as it is. */
export function explained(error: unknown): unknown {
  const { code } = error as { code?: unknown }
  if (code === DISK_FULL)
    return new StorageError('full', "The disk of the database's server is full.", { cause: error })
  if (code === READ_ONLY_TRANSACTION)
    return new StorageError('unavailable', "The database's server only reads.", { cause: error })
  return isCut(error) ? unreachable(error) : error
}

/** A connection could not be had, so nothing was asked. */
export function unreachable(cause: unknown): StorageError {
  return new StorageError('unreachable', 'The database server cannot be reached.', { cause })
}

/** As `explained`, for a COMMIT: when the connection was cut while it was under way, nobody knows what came of it. */
export function explainedCommit(error: unknown): unknown {
  if (!isCut(error) || NOT_SENT.test((error as Error).message)) return explained(error)
  return new Error('The connection was cut while the database committed.', { cause: error })
}

function isCut(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code, message } = error as NodeJS.ErrnoException
  if (code === undefined) return NOT_SENT.test(message) || CUT.test(message)
  return /^08...$/.test(code) || NO_CONNECTION.has(code) || NO_SOCKET.has(code)
}
