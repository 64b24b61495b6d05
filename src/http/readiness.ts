import { type Database, StorageError } from '../database/database.ts'
import { durationInWords } from '../format/durations.ts'
import type { Tables } from '../resources/tables.ts'
import type { Handler } from './read-only.ts'

const UNCACHED = { 'Cache-Control': 'no-store' }

/** How long the readiness check waits for the database. A slower database is too slow for requests, too. */
const PING_MS = 3_000

export interface ReadinessParts {
  database: Database<Tables>
  /** The error of failing writes, and whether they have failed for long; undefined while writes succeed. */
  writes: { readonly failure: { error: unknown; isLasting: boolean } | undefined }
  /** Returns whether the process is stopping: it then finishes running requests and should get no more. */
  isStopping(): boolean
}

/**
 * Reports whether this process should get requests: 200, or a 503 with the reason. It should while reads work, unless writes have failed
 * for more than half a minute.
 */
export function readiness({ database, writes, isStopping }: ReadinessParts): Handler {
  return async (context) => {
    if (isStopping()) return context.json({ status: 'unavailable', reason: STOPPING }, 503, UNCACHED)
    return withinTime(database.ping(), PING_MS).then(
      () => {
        const { failure } = writes
        if (!failure) return context.json({ status: 'ok', writes: 'ok' }, 200, UNCACHED)
        const said = { writes: 'failed', reason: whyNoWrites(failure.error) }
        if (failure.isLasting) return context.json({ status: 'unavailable', ...said }, 503, UNCACHED)
        return context.json({ status: 'ok', ...said }, 200, UNCACHED)
      },
      (error) => context.json({ status: 'unavailable', ...reasonOf(error) }, 503, UNCACHED),
    )
  }
}

const STOPPING = 'The server is stopping.'

async function withinTime<Result>(result: Promise<Result>, timeoutMs: number): Promise<Result> {
  const late = Promise.withResolvers<Result>()
  const timer = setTimeout(
    () => late.reject(new Error(`No answer within ${durationInWords(timeoutMs / 1000)}.`)),
    timeoutMs,
  )
  try {
    return await Promise.race([result, late.promise])
  } finally {
    clearTimeout(timer)
  }
}

/** Returns the reason of an error that was written for people. Other errors may contain addresses, so nothing is returned for them. */
function reasonOf(error: unknown): { reason?: string } {
  return error instanceof StorageError ? { reason: REASONS[error.problem] } : {}
}

/** Returns the reason why writes fail. Reads still succeed, so the database files must exist. */
function whyNoWrites(error: unknown): string {
  if (error instanceof StorageError && error.problem !== 'unavailable') return REASONS[error.problem]
  return 'The database can be read and takes no writes: its disk or its server only reads, or the service may not write there.'
}

const REASONS: Record<StorageError['problem'], string> = {
  full: 'The database’s disk is full.',
  unavailable: 'The database files were deleted, moved or replaced.',
  unreachable: 'The database server cannot be reached.',
}
