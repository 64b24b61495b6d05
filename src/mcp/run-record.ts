import { type Caller, callerId, isUser } from '../contract/declarations/caller.ts'
import { shorten } from '../contract/values/shorten.ts'
import type { Outcome } from '../sandbox/api.ts'
import { hintFor } from './answer/hints.ts'
import type { Run } from './program/run.ts'
import type { RunError } from './program/run-error.ts'
import type { ProgramText } from './program/text.ts'
import type { ProgramRun } from './run-log.ts'

export function searchRecord(caller: Caller, { code }: ProgramText, outcome: Outcome, startedAt: string): ProgramRun {
  return {
    ...callerFields(caller),
    kind: 'search',
    code,
    calls: [],
    callCount: 0,
    outcome: outcome.ok ? 'succeeded' : outcome.error.type,
    error: outcome.ok ? null : storedError(outcome.error, outcome.error.hint),
    changes: {},
    plan: null,
    committed: 'none',
    dryRun: false,
    runs: 1,
    startedAt,
    durationMs: Math.round(outcome.durationMs),
  }
}

const CHANGES_LIMIT = 10_000

export function executeRecord(
  caller: Caller,
  { code, dryRun }: ProgramText,
  run: Run,
  { startedAt, plan }: Pick<ProgramRun, 'startedAt' | 'plan'>,
): ProgramRun {
  const { calls, error, committed, runs, outcome } = run
  const changed = committed !== 'none' || (dryRun && error === null)
  return {
    ...callerFields(caller),
    kind: 'execute',
    code,
    calls: calls.journal.calls,
    callCount: calls.journal.count,
    outcome: error?.type ?? 'succeeded',
    error: error && storedError(error, hintFor(error, calls.journal.calls, calls.journal.count)),
    changes: changed ? (shorten(calls.changes.shown(), CHANGES_LIMIT) as object) : {},
    plan,
    committed,
    dryRun,
    runs,
    startedAt,
    durationMs: Math.round(outcome.durationMs),
  }
}

function storedError({ message, line }: Pick<RunError, 'message' | 'line'>, hint: string | null): ProgramRun['error'] {
  return { message, line, hint }
}

function callerFields(
  caller: Caller,
): Pick<ProgramRun, 'accountId' | 'userId' | 'callerId' | 'callerKind' | 'taskRun'> {
  return {
    accountId: caller.accountId,
    userId: isUser(caller) ? caller.userId : '',
    callerId: callerId(caller),
    callerKind: caller.kind,
    taskRun: caller.origin?.run ?? null,
  }
}
