import { setTimeout as delay } from 'node:timers/promises'
import { ConflictError, type Database } from '../../database/database.ts'
import type { Caller } from '../../records/context.ts'
import type { Tables } from '../../records/tables.ts'
import type { Outcome, Program, ProgramError, Sandbox } from '../../sandbox/door.ts'
import { type CallListener, type CallParts, ProgramCalls } from './calls.ts'
import { ProgramScope } from './scope.ts'
import type { ProgramText } from './text.ts'

/** From a program's start to its end, all repetitions together (contract, section 8). */
const DEADLINE_MS = 5_000
/** Runs of one program when other transactions keep getting there first. */
const MOST_RUNS = 10
/** With less than this left, repeating a program only makes it miss its deadline. */
const LEAST_REMAINING_MS = 50
/** How long a call that is waiting for something outside may take to end after its program was killed. */
const CALL_GRACE_MS = 1_000

export type Committed = 'none' | 'all' | 'partial' | 'unknown'

/** What the host says of a run beyond the sandbox: the errors that only the host can know of. */
export type RunError = Omit<ProgramError, 'type'> & { type: ProgramError['type'] | 'conflict' | 'commit_failed' }

/** What came of a program in the end. */
export interface Run {
  outcome: Outcome
  error: RunError | null
  committed: Committed
  calls: ProgramCalls
  runs: number
}

export interface RunParts extends CallParts {
  sandbox: Sandbox
  database: Database<Tables>
}

interface Asked {
  caller: Caller
  program: ProgramText
  signal?: AbortSignal | undefined
  onCall?: CallListener | undefined
}

/**
 * Runs a program as one transaction: what it wrote is kept when it ends well and undone when it does not. When another
 * transaction got there first, it is undone and run again within its deadline. With `atomic: false` each call commits by
 * itself and nothing is undone.
 */
export async function runProgram(parts: RunParts, asked: Asked): Promise<Run> {
  let remainingMs = DEADLINE_MS
  for (let runs = 1; ; runs++) {
    const run = await runOnce(parts, asked, remainingMs, runs)
    remainingMs -= run.outcome.durationMs
    const mayRepeat = runs < MOST_RUNS && remainingMs > LEAST_REMAINING_MS && !asked.signal?.aborted
    if (run.error?.type !== 'conflict' || !mayRepeat) return run
    const pauseMs = Math.random() * 20 * runs
    remainingMs -= pauseMs
    await delay(pauseMs)
  }
}

async function runOnce(parts: RunParts, asked: Asked, deadlineMs: number, runs: number): Promise<Run> {
  const { caller, program, signal, onCall } = asked
  const together = program.atomic || program.dryRun
  const scope = new ProgramScope(parts.database, together)
  const calls = new ProgramCalls(parts, caller, scope, onCall)
  const outcome = await sandboxed(parts, {
    kind: 'execute',
    code: program.code,
    queueKey: caller.accountId,
    deadlineMs,
    ...(signal && { signal }),
    call: (call) => calls.answer(call),
  })
  const keep = outcome.ok && !program.dryRun && !(together && signal?.aborted)
  const ending = keep ? await commit(scope) : await undo(scope, outcome, signal)
  await calls.end(CALL_GRACE_MS)
  const committed = together ? ending.committed : keptAlone(scope, outcome)
  return { outcome, error: ending.error, committed, calls, runs }
}

/** The sandbox never rejects; if it did all the same, the transaction must still end. */
async function sandboxed({ sandbox, log }: RunParts, program: Program): Promise<Outcome> {
  try {
    return await sandbox.run(program)
  } catch (error) {
    log.error({ err: error }, 'The sandbox failed')
    const failure = { ...nowhere, type: 'host_error' as const, message: 'An unexpected error on our side.', hint: null }
    return { ok: false, error: failure, output: '', warnings: [], durationMs: 0, overlooked: [] }
  }
}

type Ending = { error: RunError | null; committed: Committed }

async function commit(scope: ProgramScope<Tables>): Promise<Ending> {
  try {
    await scope.commit()
    return { error: null, committed: 'all' }
  } catch (error) {
    if (error instanceof ConflictError) return { error: conflict(), committed: 'none' }
    await scope.rollback().catch(() => {})
    return { error: commitFailed(), committed: 'unknown' }
  }
}

/** A rollback that fails has nothing to undo: the database undoes what was never committed. */
async function undo(scope: ProgramScope<Tables>, outcome: Outcome, signal: AbortSignal | undefined): Promise<Ending> {
  await scope.rollback().catch(() => {})
  if (scope.conflict !== null && !signal?.aborted) return { error: conflict(), committed: 'none' }
  if (!outcome.ok) return { error: outcome.error, committed: 'none' }
  return { error: signal?.aborted ? canceled() : null, committed: 'none' }
}

/** A result that could not become JSON comes after the last call: all of them were made. */
function keptAlone(scope: ProgramScope<Tables>, outcome: Outcome): Committed {
  const reachedItsEnd = outcome.ok || (outcome.error.type === 'invalid_result' && scope.committedAlone > 0)
  if (reachedItsEnd) return 'all'
  return scope.committedAlone > 0 ? 'partial' : 'none'
}

function conflict(): RunError {
  return {
    ...nowhere,
    type: 'conflict',
    message: 'Other requests changed the same records while the program ran, each time it was tried; nothing was kept.',
    hint: 'The same program usually succeeds a moment later; fewer writes in one program meet fewer others.',
  }
}

function commitFailed(): RunError {
  return {
    ...nowhere,
    type: 'commit_failed',
    message:
      'The program ended well, but the database did not confirm the commit, so it is not known whether it was kept.',
    hint: 'Reading one of the changed records shows which it is.',
  }
}

function canceled(): RunError {
  return {
    ...nowhere,
    type: 'canceled',
    message: 'The connection was closed before the program was committed.',
    hint: null,
  }
}

const nowhere = { line: null, source: null }
