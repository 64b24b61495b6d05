import { type Caller, callerId, isUser } from '../contract/declarations/caller.ts'
import { shorten } from '../contract/values/shorten.ts'
import type { Outcome } from '../sandbox/api.ts'
import { hintFor } from './answer/hints.ts'
import type { Run } from './program/run.ts'
import type { RunError } from './program/run-error.ts'
import type { ProgramText } from './program/text.ts'
import type { ProgramRun } from './run-log.ts'

export function searchRecord(caller: Caller, { code }: ProgramText, outcome: Outcome, created_at: string): ProgramRun {
  const error = outcome.ok ? null : outcome.error
  return {
    ...callerFields(caller),
    ...errorFields(error, error?.hint ?? null),
    kind: 'search',
    code,
    calls: [],
    calls_count: 0,
    changes: {},
    plan: null,
    committed: 'none',
    dry_run: 0,
    runs: 1,
    created_at,
    duration_ms: Math.round(outcome.durationMs),
  }
}

const CHANGES_LIMIT = 10_000

export function executeRecord(
  caller: Caller,
  { code, dryRun }: ProgramText,
  run: Run,
  { startedAt, plan }: { startedAt: string; plan: string | null },
): ProgramRun {
  const { calls, error, committed, runs, outcome } = run
  const { journal } = calls
  const changed = committed !== 'none' || (dryRun && error === null)
  return {
    ...callerFields(caller),
    ...errorFields(error, error && hintFor(error, journal.calls, journal.count)),
    kind: 'execute',
    code,
    calls: journal.calls,
    calls_count: journal.count,
    changes: changed ? (shorten(calls.changes.shown(), CHANGES_LIMIT) as object) : {},
    plan,
    committed,
    dry_run: Number(dryRun),
    runs,
    created_at: startedAt,
    duration_ms: Math.round(outcome.durationMs),
  }
}

function errorFields(error: Pick<RunError, 'type' | 'message' | 'line'> | null, error_hint: string | null) {
  if (!error) return { outcome: 'succeeded', error: null, error_line: null, error_hint: null } as const
  return { outcome: error.type, error: error.message, error_line: error.line, error_hint }
}

function callerFields(caller: Caller) {
  return {
    account_id: caller.accountId,
    user_id: isUser(caller) ? caller.userId : '',
    caller_id: callerId(caller),
    caller_kind: caller.kind,
    task_run: caller.origin?.run ?? null,
  }
}
