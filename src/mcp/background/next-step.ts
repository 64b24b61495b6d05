import type { BatchBudget } from '../../pipeline/batch-budget.ts'
import type { BackgroundRow } from '../../records/background/row.ts'
import type { RunError } from '../program/run-error.ts'

/** One batch as a job does it. */
export interface Attempt {
  row: BackgroundRow
  budget: BatchBudget
  /** Its calls met the limit of an operation that has its own. */
  metLimit: boolean
}

interface Again {
  kind: 'again'
  afterMs: number
  size: number
  paid: number
}

/** What follows a batch that was undone. */
type NextStep = Again | { kind: 'approval' } | { kind: 'failed' } | { kind: 'ended' }

/** These a smaller batch may not meet. */
const TOO_LARGE = ['writer_held_too_long', 'conflict', 'deadline_exceeded', 'memory_limit', 'call_limit']
/** These pass by themselves. */
const PASSING = ['busy', 'storage_full', 'storage_unavailable', 'commit_failed']
const PASSING_MS = 5_000
/** After so long, the limit of a slow operation allows as many calls as it ever does. */
const LIMIT_MS = 60_000

/**
 * Waits where the rate limit was used up, takes fewer rows where there were too many for one transaction, asks where the batch
 * did what nobody approved, and otherwise counts it as failed.
 */
export function dropBatch({ row, budget, metLimit }: Attempt, { type }: RunError, unapproved: string[]): NextStep {
  const size = Math.min(row.batch_size, row.rows_count - row.place)
  const half = Math.max(1, Math.ceil(size / 2))
  const again: Again = { kind: 'again', afterMs: 0, size: row.batch_size, paid: 0 }
  if (budget.waitSeconds !== null) return { ...again, afterMs: budget.waitSeconds * 1000, paid: budget.paid }
  if (metLimit) return { ...again, afterMs: LIMIT_MS, size: half }
  if (unapproved.length > 0) return { kind: 'approval' }
  if (type === 'canceled') return { kind: 'ended' }
  if (PASSING.includes(type)) return { ...again, afterMs: PASSING_MS }
  if (TOO_LARGE.includes(type) && size > 1) return { ...again, size: half }
  return { kind: 'failed' }
}
