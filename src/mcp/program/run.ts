import { setTimeout as delay } from 'node:timers/promises'
import type { Caller } from '../../contract/declarations/caller.ts'
import type { Consequence } from '../../contract/declarations/consequence.ts'
import { type Database, type Scope, type Transaction, TransactionLostError } from '../../database/database.ts'
import type { RunBudget } from '../../pipeline/program-budget.ts'
import type { PostCommitWork } from '../../pipeline/side-effects.ts'
import type { Tables } from '../../resources/tables.ts'
import type { Json, Outcome, Program, Sandbox } from '../../sandbox/api.ts'
import { requireAccess, watchAccess } from './access-loss.ts'
import type { BatchWork } from './batch-work.ts'
import { type CallListener, type CallParts, ProgramCalls } from './calls.ts'
import { type Ending, endRun, RecordRefused, type RunPurpose } from './ending.ts'
import { OutsideMemory } from './outside-memory.ts'
import { answerQuestion, type QuestionParts } from './questions.ts'
import { canceledError, noBatchError, sandboxFailedError } from './run-error.ts'
import { ProgramScope } from './scope.ts'
import type { ProgramText } from './text.ts'

/** The time limit of a program, including its repeated runs. */
const DEADLINE_MS = 5_000
/** The embedded engine needs two runs at most; on PostgreSQL, other replicas can cause more conflicts. */
const MOST_RUNS = 10
/** A program is not run again if less than this remains until its deadline. */
const LEAST_REMAINING_MS = 50
/** The maximum random pause before a repeated run grows by this much each time, so that two replicas do not conflict repeatedly. */
const LONGEST_PAUSE_MS = 20
/** How long a call with effects outside the database may continue after its program was killed. */
const CALL_GRACE_MS = 1_000

export interface Run extends Ending {
  outcome: Outcome
  calls: ProgramCalls
  runs: number
  startedAt: Date
}

export interface RunParts extends CallParts, QuestionParts {
  sandbox: Sandbox
  database: Database<Tables>
  /** Returns the effects outside the database, such as emails, that an open transaction will have after its commit. */
  foresee(scope: Scope<Tables>, caller: Caller, left: PostCommitWork): Promise<Consequence[]>
}

/** Decides in a program's transaction whether its changes or its plan may be stored. */
export type Confirm = (unit: Transaction<Tables>, kept: 'changes' | 'plan') => Promise<boolean>

interface RunRequest extends RunPurpose {
  caller: Caller
  program: ProgramText
  signal?: AbortSignal | undefined
  whole?: boolean | undefined
  onCall?: CallListener | undefined
  /** The rate limit that the program's calls count against; without it, each call counts as one request. */
  budget?: RunBudget | undefined
  batch?: BatchWork | undefined
  requestId?: string | undefined
  confirm?: Confirm | undefined
}

interface RunAttempt {
  number: number
  deadlineMs: number
  outside: OutsideMemory
}

/**
 * Runs a program as one isolated transaction: it is committed if the program succeeds and rolled back otherwise. If the account's data
 * changed between the program's first read and its first write, the transaction is rolled back and the program runs again within its
 * deadline, now holding the writer lock from the start. With `atomic: false`, each call is committed separately and nothing is rolled back.
 */
export async function runProgram(parts: RunParts, asked: RunRequest): Promise<Run> {
  try {
    return await runUntilDone(parts, asked)
  } finally {
    await asked.budget?.settle?.().catch((error: unknown) => {
      parts.log.error(
        { err: error, requestId: asked.requestId },
        'What a program has not spent could not be given back',
      )
    })
  }
}

async function runUntilDone(parts: RunParts, asked: RunRequest): Promise<Run> {
  const outside = new OutsideMemory()
  let deadlineMs = DEADLINE_MS
  for (let number = 1; ; number++) {
    const attempt = { number, deadlineMs, outside }
    let run = await runOnce(parts, asked, attempt)
    if (await asked.batch?.choose?.(parts.database, asked.signal)) run = await runOnce(parts, asked, attempt)
    deadlineMs -= run.outcome.durationMs
    if (run.error?.type !== 'conflict' || number === MOST_RUNS || asked.signal?.aborted) return run
    const pauseMs = Math.random() * LONGEST_PAUSE_MS * (number - 1)
    deadlineMs -= pauseMs
    if (deadlineMs < LEAST_REMAINING_MS) return run
    await delay(pauseMs)
  }
}

async function runOnce(parts: RunParts, asked: RunRequest, attempt: RunAttempt): Promise<Run> {
  const { caller, program, signal, whole = false, onCall, requestId, budget, batch, confirm } = asked
  const { outside } = attempt
  const startedAt = new Date()
  const together = program.atomic || program.dryRun
  const holdFromStart = attempt.number > 1
  const confirmed = async (unit: Transaction<Tables>) => {
    if (confirm) await requireConfirmed(confirm, unit, 'changes')
    await requireAccess(unit, caller)
  }
  const scope = new ProgramScope(parts.database, {
    account: caller.accountId,
    together,
    holdFromStart,
    confirm: confirmed,
  })
  outside.rewind()
  budget?.rewind()
  const place = { caller, scope, outside, budget, batch, proposed: program.dryRun, onCall, requestId }
  const calls = new ProgramCalls(parts, place)
  const stopWatching = watchAccess(parts, caller, scope)
  const ended = await runInSandbox(parts, requestId, {
    kind: 'execute',
    code: program.code,
    queueKey: caller.accountId,
    deadlineMs: attempt.deadlineMs,
    signal: anySignal(signal, scope.takenAway),
    whole,
    call: (call) => calls.answer(call),
    ask: (question) =>
      answerQuestion(parts, { caller, scope, calls, dryRun: program.dryRun, applies: !!asked.planned }, question),
  }).finally(stopWatching)
  const outcome = batch ? withBatchErrors(ended, calls.batchTaken) : ended
  const ending = await endRun({
    ...asked,
    record: confirmingFirst(asked.record, confirmed),
    scope,
    calls,
    outcome,
    startedAt,
    together,
    foresee: (left) => previewEffects(parts, { scope, caller, left, requestId }),
  })
  await calls.end(CALL_GRACE_MS)
  return { ...ending, outcome, calls, startedAt, runs: attempt.number }
}

interface PreviewRequest {
  scope: ProgramScope<Tables>
  caller: Caller
  left: PostCommitWork
  requestId: string | undefined
}

function previewEffects(parts: RunParts, { scope, caller, left, requestId }: PreviewRequest): Promise<Consequence[]> {
  return parts.foresee(scope, caller, left).catch((error: unknown) => {
    if (!(error instanceof TransactionLostError))
      parts.log.error({ err: error, requestId }, 'What follows a commit could not be foreseen')
    throw error
  })
}

/** A background program must call `each_batch`. For errors that smaller batches may avoid, the hint suggests them. */
function withBatchErrors(ended: Outcome, batchTaken: boolean): Outcome {
  if (ended.ok) return batchTaken ? ended : { ...ended, ok: false, error: noBatchError() }
  const { error } = ended
  return TOO_LONG.includes(error.type) ? { ...ended, error: { ...error, hint: SMALLER_BATCHES } } : ended
}

const TOO_LONG = ['deadline_exceeded', 'call_limit', 'memory_limit']
const SMALLER_BATCHES = 'Take fewer rows a batch, by a smaller of:'

function confirmingFirst(record: RunPurpose['record'], confirmed: (unit: Transaction<Tables>) => Promise<void>) {
  return async (unit: Transaction<Tables>, body: { [key: string]: Json }) => {
    await confirmed(unit)
    await record?.(unit, body)
  }
}

export async function requireConfirmed(
  confirm: Confirm,
  unit: Transaction<Tables>,
  kept: 'changes' | 'plan',
): Promise<void> {
  if (!(await confirm(unit, kept))) throw new RecordRefused(canceledError())
}

function anySignal(signal: AbortSignal | undefined, other: AbortSignal): AbortSignal {
  return signal ? AbortSignal.any([signal, other]) : other
}

/** The sandbox should never reject. If it does, the error becomes an outcome, so that the transaction still ends. */
async function runInSandbox(
  { sandbox, log }: RunParts,
  requestId: string | undefined,
  program: Program,
): Promise<Outcome> {
  try {
    return await sandbox.run(program)
  } catch (error) {
    log.error({ err: error, requestId }, 'The sandbox failed')
    return {
      ok: false,
      error: sandboxFailedError(),
      output: '',
      warnings: [],
      durationMs: 0,
      overlooked: [],
      returned: [],
    }
  }
}
