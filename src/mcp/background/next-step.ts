import type { BatchBudget } from '../../pipeline/batch-budget.ts'
import type { BackgroundRow } from '../../records/background/row.ts'
import type { RunError } from '../program/run-error.ts'

export interface Attempt {
  row: BackgroundRow
  budget: BatchBudget
  metLimit: boolean
}

interface RetryStep {
  kind: 'again'
  afterMs: number
  size: number
  paid: number
}

type NextStep = RetryStep | { kind: 'approval' } | { kind: 'failed' } | { kind: 'ended' }

/** Errors that a batch with fewer rows may avoid. */
const TOO_LARGE_ERRORS = ['writer_held_too_long', 'conflict', 'deadline_exceeded', 'memory_limit', 'call_limit']
const TEMPORARY_ERRORS = ['busy', 'storage_full', 'storage_unavailable', 'commit_failed']
const TEMPORARY_RETRY_MS = 5_000
/** The separate rate limits of slow operations reset within this time. */
const RATE_LIMIT_RETRY_MS = 60_000

/** Decides whether a rolled-back batch waits for a rate limit, is retried with fewer rows, needs approval, or fails the program. */
export function dropBatch({ row, budget, metLimit }: Attempt, { type }: RunError, unapproved: string[]): NextStep {
  const size = Math.min(row.batch_size, row.rows_count - row.place)
  const half = Math.max(1, Math.ceil(size / 2))
  const again: RetryStep = { kind: 'again', afterMs: 0, size: row.batch_size, paid: 0 }
  if (budget.waitSeconds !== null) return { ...again, afterMs: budget.waitSeconds * 1000, paid: budget.paid }
  if (metLimit) return { ...again, afterMs: RATE_LIMIT_RETRY_MS, size: half }
  if (unapproved.length > 0) return { kind: 'approval' }
  if (type === 'canceled') return { kind: 'ended' }
  // The next attempt ends the program, because its maker has lost access.
  if (type === 'permission_denied') return again
  if (TEMPORARY_ERRORS.includes(type)) return { ...again, afterMs: TEMPORARY_RETRY_MS }
  if (TOO_LARGE_ERRORS.includes(type) && size > 1) return { ...again, size: half }
  return { kind: 'failed' }
}
