import type { AccountClocks } from '../clock/moments.ts'
import { timestampOf } from '../contract/values/values.ts'
import type { Scope } from '../database/database.ts'
import type { JobRow } from '../database/system-tables.ts'
import { AskAgainError } from '../records/job.ts'
import type { Tables } from '../resources/tables.ts'
import { attemptOf, changeSame } from './queue.ts'

/** Longest pause between two attempts. */
const LONGEST_PAUSE_MS = 60 * 60 * 1000
const MAX_ERROR = 1_000
/** For so long a job may be put off by those whom it asks; then its attempts count like any others. */
const LONGEST_PUT_OFF_MS = 48 * 60 * 60 * 1000
/** The least and the most that they may put it off at once. */
const LEAST_WAIT_MS = 1_000
const LONGEST_WAIT_MS = 24 * 60 * 60 * 1000

interface Failure {
  error: unknown
  /** How many attempts the job may have. */
  attempts: number
}

/**
 * Another attempt after a pause that doubles, or the end after the last one. What works outside pauses in real time; what is one
 * transaction, by its account's clock, so that it keeps its place among what falls due.
 */
export async function giveBack(
  database: Scope<Tables>,
  clocks: AccountClocks,
  job: JobRow,
  { error, attempts }: Failure,
): Promise<void> {
  const message = (error instanceof Error ? error.message : String(error)).replaceAll('\0', '').slice(0, MAX_ERROR)
  const attempt = attemptOf(job)
  const waitMs = putOffMs(job, error)
  const pauseMs = waitMs ?? Math.min(1000 * 2 ** attempt, LONGEST_PAUSE_MS)
  const ended = { leased_until: null, last_error: message, attempts: attempt }
  await database.transaction(async ({ db }) => {
    const { now, realNow, test } = await clocks.momentsOf(db, job.account_id)
    if (waitMs !== null) {
      const run_at = timestampOf(new Date(Date.parse(realNow) + waitMs))
      return changeSame(db, [job], { ...ended, attempts: attempt - 1, state: 'waiting', run_at }).execute()
    }
    if (attempt >= attempts) return changeSame(db, [job], { ...ended, state: 'failed', finished_at: realNow }).execute()
    const byClock = test && job.lane === 'due'
    const run_at = timestampOf(new Date(Date.parse(byClock ? later(now, job.run_at) : realNow) + pauseMs))
    return changeSame(db, [job], { ...ended, state: byClock ? 'waiting_for_clock' : 'waiting', run_at }).execute()
  })
}

/** Milliseconds until somebody who was asked wants to be asked again; null where the attempt has simply failed. */
export function putOffMs({ created_at }: Pick<JobRow, 'created_at'>, error: unknown): number | null {
  if (!(error instanceof AskAgainError)) return null
  const isOver = Date.now() - Date.parse(created_at) > LONGEST_PUT_OFF_MS
  if (isOver && !error.withoutLimit) return null
  return Math.min(Math.max(error.at - Date.now(), LEAST_WAIT_MS), LONGEST_WAIT_MS)
}

/** In an advance, the clock reaches a job's moment together with its effect: after a failure it is still before it. */
function later(one: string, other: string): string {
  return one > other ? one : other
}
