import { StorageError } from '../database.ts'
import { StandbyError } from './session-settings.ts'

/** SQLSTATE codes, from https://www.postgresql.org/docs/current/errcodes-appendix.html. */
const DISK_FULL = '53100'
const READ_ONLY_TRANSACTION = '25006'
const LOST = 'The database server cannot be reached.'
const FEATURE_NOT_SUPPORTED = '0A000'
/** What a standby says to a transaction. */
const ON_STANDBY = /hot standby/
/** Beside class 08: too many connections, a server that stops, crashed or starts, and sessions that it has ended. */
const NO_CONNECTION = new Set(['53300', '57P01', '57P02', '57P03', '57P05', '25P03', '25P04'])
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
const CUT = /^Connection terminated|^timeout e(xceeded|xpired)|^Query read timeout$/
/** No answer came in time. Another attempt would wait as long. */
const SILENT = /^Query read timeout$/

/** The code of an error of PostgreSQL or of the system; undefined where it has none. */
export function codeOf(error: unknown): string | undefined {
  const { code } = error as { code?: string }
  return code
}

/** A StorageError when the server took no write and nothing was kept; any other error as it is. */
export function explained(error: unknown): unknown {
  const code = codeOf(error)
  if (code === DISK_FULL)
    return new StorageError('full', "The disk of the database's server is full.", { cause: error })
  if (code === READ_ONLY_TRANSACTION)
    return new StorageError('unavailable', "The database's server only reads.", { cause: error })
  if (isOnStandby(error) || says(error, SILENT)) return unreachable(error)
  return isCut(error) ? new ConnectionLostError(error) : error
}

/** A connection was lost while it was used. Nothing was kept, and another connection may well do. */
export class ConnectionLostError extends StorageError {
  constructor(cause: unknown) {
    super('unreachable', LOST, { cause })
  }
}

/** A COMMIT was under way when its connection was lost: the error alone does not say what came of it. */
export class CutCommitError extends Error {
  override name = 'CutCommitError'
}

/** A connection could not be had, so nothing was asked. */
export function unreachable(cause: unknown): StorageError {
  return new StorageError('unreachable', LOST, { cause })
}

/** After such an error its connection is closed: it was lost, or leads to a server that takes no writes now. */
export function isSpent(error: unknown): error is StorageError {
  return error instanceof StorageError && error.problem !== 'full'
}

/** As `explained`, for a COMMIT that may have been sent. */
export function explainedCommit(error: unknown): unknown {
  if (!isCut(error) || says(error, NOT_SENT)) return explained(error)
  return new CutCommitError('The connection was cut while the database committed.', { cause: error })
}

function says(error: unknown, words: RegExp): boolean {
  return error instanceof Error && words.test(error.message)
}

function isCut(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = codeOf(error)
  if (code === undefined) return says(error, NOT_SENT) || says(error, CUT)
  return /^08...$/.test(code) || NO_CONNECTION.has(code) || NO_SOCKET.has(code)
}

function isOnStandby(error: unknown): boolean {
  return error instanceof StandbyError || (codeOf(error) === FEATURE_NOT_SUPPORTED && says(error, ON_STANDBY))
}
