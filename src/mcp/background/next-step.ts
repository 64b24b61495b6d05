import type { BatchBudget } from '../../pipeline/batch-budget.ts'
import type { BackgroundRow } from '../../records/background/row.ts'
import type { RunError } from '../program/run-error.ts'

/** One attempt to run a batch. */
export interface Attempt {
  row: BackgroundRow
  budget: BatchBudget
  /** Whether a call exceeded the separate rate limit of a slow operation. */
  metLimit: boolean
}

interface RetryStep {
  kind: 'again'
  afterMs: number
  size: number
  paid: number
}

/** How a background program continues after a batch was rolled back. */
type NextStep = RetryStep | { kind: 'approval' } | { kind: 'failed' } | { kind: 'ended' }

/** The types of errors that a batch with fewer rows may avoid. */
const TOO_LARGE_ERRORS = ['writer_held_too_long', 'conflict', 'deadline_exceeded', 'memory_limit', 'call_limit']
/** The types of errors after which the batch is retried unchanged. */
const TEMPORARY_ERRORS = ['busy', 'storage_full', 'storage_unavailable', 'commit_failed']
const TEMPORARY_RETRY_MS = 5_000
/** Within this time, the separate rate limit of a slow operation resets. */
const RATE_LIMIT_RETRY_MS = 60_000

/**
 * Decides how to continue after a batch was rolled back. It waits if a rate limit was exceeded, takes fewer rows if the transaction was too
 * large, asks for approval if the batch called operations that were not approved, and otherwise fails the program.
 */
export function dropBatch({ row, budget, metLimit }: Attempt, { type }: RunError, unapproved: string[]): NextStep {
  const size = Math.min(row.batch_size, row.rows_count - row.place)
  const half = Math.max(1, Math.ceil(size / 2))
  const again: RetryStep = { kind: 'again', afterMs: 0, size: row.batch_size, paid: 0 }
  if (budget.waitSeconds !== null) return { ...again, afterMs: budget.waitSeconds * 1000, paid: budget.paid }
  if (metLimit) return { ...again, afterMs: RATE_LIMIT_RETRY_MS, size: half }
  if (unapproved.length > 0) return { kind: 'approval' }
  if (type === 'canceled') return { kind: 'ended' }
  if (TEMPORARY_ERRORS.includes(type)) return { ...again, afterMs: TEMPORARY_RETRY_MS }
  if (TOO_LARGE_ERRORS.includes(type) && size > 1) return { ...again, size: half }
  return { kind: 'failed' }
}
