import { type Database, StorageError } from '../database/database.ts'
import { durationInWords } from '../format/durations.ts'
import type { Tables } from '../resources/tables.ts'
import type { Handler } from './read-only.ts'

const UNCACHED = { 'Cache-Control': 'no-store' }

/** The maximum wait for the database. If it is slower, it is too slow for requests, too. */
const PING_MS = 3_000

export interface ReadinessParts {
  database: Database<Tables>
  /** The error of failing writes; undefined while writes succeed. */
  writes: { readonly failure: { error: unknown; isLasting: boolean } | undefined }
  /** Returns whether the process is stopping: it still finishes running requests, but should get no more. */
  isStopping(): boolean
}

/** Responds with 200 while reads work and writes have not failed for more than half a minute, otherwise with a 503 and the reason. */
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

/** Returns the reason to show; none for errors that may contain addresses. */
function reasonOf(error: unknown): { reason?: string } {
  return error instanceof StorageError ? { reason: REASONS[error.problem] } : {}
}

/** Returns why writes fail. `unavailable` (missing database files) is disregarded, because reads still succeed. */
function whyNoWrites(error: unknown): string {
  if (error instanceof StorageError && error.problem !== 'unavailable') return REASONS[error.problem]
  return 'The database can be read and takes no writes: its disk or its server only reads, or the service may not write there.'
}

const REASONS: Record<StorageError['problem'], string> = {
  full: 'The database’s disk is full.',
  unavailable: 'The database files were deleted, moved or replaced.',
  unreachable: 'The database server cannot be reached.',
}
