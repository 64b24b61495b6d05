import { type Caller, callerId, isUser } from '../contract/caller.ts'
import type { Outcome } from '../sandbox/door.ts'
import type { Run } from './program/run.ts'
import type { ProgramText } from './program/text.ts'
import type { ProgramRun } from './run-log.ts'

/** A run of `code_search` as the log of runs keeps it. */
export function searchRecord(caller: Caller, { code }: ProgramText, outcome: Outcome, startedAt: string): ProgramRun {
  return {
    ...whose(caller),
    kind: 'search',
    code,
    calls: [],
    callCount: 0,
    outcome: outcome.ok ? 'succeeded' : outcome.error.type,
    errorMessage: outcome.ok ? null : outcome.error.message,
    committed: 'none',
    dryRun: false,
    runs: 1,
    startedAt,
    durationMs: Math.round(outcome.durationMs),
  }
}

/** A run of `code_execute` as the log of runs keeps it. */
export function executeRecord(caller: Caller, { code, dryRun }: ProgramText, run: Run, startedAt: string): ProgramRun {
  const { calls, error, committed, runs, outcome } = run
  return {
    ...whose(caller),
    kind: 'execute',
    code,
    calls: calls.journal.calls,
    callCount: calls.journal.count,
    outcome: error?.type ?? 'succeeded',
    errorMessage: error?.message ?? null,
    committed,
    dryRun,
    runs,
    startedAt,
    durationMs: Math.round(outcome.durationMs),
  }
}

function whose(caller: Caller): Pick<ProgramRun, 'accountId' | 'userId' | 'callerId'> {
  return {
    accountId: caller.accountId,
    userId: isUser(caller) ? caller.userId : '',
    callerId: callerId(caller),
  }
}
