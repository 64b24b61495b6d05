import { StorageError } from '../database.ts'
import { StandbyError } from './session-settings.ts'

/** SQLSTATE codes, from https://www.postgresql.org/docs/current/errcodes-appendix.html. */
const DISK_FULL = '53100'
const READ_ONLY_TRANSACTION = '25006'
const LOST = 'The database server cannot be reached.'
const FEATURE_NOT_SUPPORTED = '0A000'
const ON_STANDBY = /hot standby/
/** SQLSTATE codes besides class 08 for too many connections, for a server that stops, crashed or starts, and for an ended session. */
const NO_CONNECTION = new Set(['53300', '57P01', '57P02', '57P03', '57P05', '25P03', '25P04'])
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
const NOT_SENT = /is not queryable$/
const CUT = /^Connection terminated|^timeout e(xceeded|xpired)|^Query read timeout$/
/** A timeout. It is not retried, because another attempt would take just as long. */
const SILENT = /^Query read timeout$/

/** Returns the error code of PostgreSQL or of the operating system, if any. */
export function codeOf(error: unknown): string | undefined {
  const { code } = error as { code?: string }
  return code
}

/** Returns a StorageError if the server refused the write and saved nothing. Returns any other error unchanged. */
export function explained(error: unknown): unknown {
  const code = codeOf(error)
  if (code === DISK_FULL)
    return new StorageError('full', "The disk of the database's server is full.", { cause: error })
  if (code === READ_ONLY_TRANSACTION)
    return new StorageError('unavailable', "The database's server only reads.", { cause: error })
  if (isOnStandby(error) || matchesMessage(error, SILENT)) return unreachable(error)
  return isCut(error) ? new ConnectionLostError(error) : error
}

/** Thrown if a connection was lost during use. Nothing was saved, and a retry on another connection may succeed. */
export class ConnectionLostError extends StorageError {
  constructor(cause: unknown) {
    super('unreachable', LOST, { cause })
  }
}

/** Thrown if a connection was lost during a COMMIT. The error alone does not say whether the transaction was committed. */
export class CutCommitError extends Error {}

/** Returns the error for a connection that could not be opened, so that no statement was sent. */
export function unreachable(cause: unknown): StorageError {
  return new StorageError('unreachable', LOST, { cause })
}

/** Whether to close a connection after an error, because it was lost or its server refuses writes. */
export function isSpent(error: unknown): error is StorageError {
  return error instanceof StorageError && error.problem !== 'full'
}

/** Like `explained`, for the error of a COMMIT that may have been sent. */
export function explainedCommit(error: unknown): unknown {
  if (!isCut(error) || matchesMessage(error, NOT_SENT)) return explained(error)
  return new CutCommitError('The connection was cut while the database committed.', { cause: error })
}

function matchesMessage(error: unknown, pattern: RegExp): boolean {
  return error instanceof Error && pattern.test(error.message)
}

function isCut(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = codeOf(error)
  if (code === undefined) return matchesMessage(error, NOT_SENT) || matchesMessage(error, CUT)
  return /^08...$/.test(code) || NO_CONNECTION.has(code) || NO_SOCKET.has(code)
}

function isOnStandby(error: unknown): boolean {
  return error instanceof StandbyError || (codeOf(error) === FEATURE_NOT_SUPPORTED && matchesMessage(error, ON_STANDBY))
}
