import { setTimeout as delay } from 'node:timers/promises'
import type { Caller } from '../../contract/declarations/caller.ts'
import type { Consequence } from '../../contract/declarations/consequence.ts'
import { type Database, type Scope, TransactionLostError, type Unit } from '../../database/database.ts'
import type { Left } from '../../pipeline/foresee.ts'
import type { RunBudget } from '../../pipeline/program-budget.ts'
import type { Tables } from '../../resources/tables.ts'
import type { Json, Outcome, Program, Sandbox } from '../../sandbox/door.ts'
import type { BatchWork } from './batch-work.ts'
import { type CallListener, type CallParts, ProgramCalls } from './calls.ts'
import { type Ending, endRun, type Purpose, RecordRefused } from './ending.ts'
import { OutsideMemory } from './outside-memory.ts'
import { answerQuestion, type QuestionParts } from './questions.ts'
import { canceledError, noBatchError, sandboxFailedError } from './run-error.ts'
import { ProgramScope } from './scope.ts'
import type { ProgramText } from './text.ts'

/** The time from a program's start to its end, repetitions included. */
const DEADLINE_MS = 5_000
/** Runs of one program. The embedded engine needs two at most; on PostgreSQL other replicas can get there first again. */
const MOST_RUNS = 10
/** With less than this left, repeating a program only makes it miss its deadline. */
const LEAST_REMAINING_MS = 50
/** Each further run waits up to this much longer, so that two replicas do not meet again and again. */
const LONGEST_PAUSE_MS = 20
/** How long a call that is waiting for something outside may take to end after its program was killed. */
const CALL_GRACE_MS = 1_000

/** What came of a program in the end. */
export interface Run extends Ending {
  outcome: Outcome
  calls: ProgramCalls
  runs: number
  /** When the run began that decided. */
  startedAt: Date
}

export interface RunParts extends CallParts, QuestionParts {
  sandbox: Sandbox
  database: Database<Tables>
  /** What an open transaction brings about outside once it is committed. */
  foresee(scope: Scope<Tables>, caller: Caller, left: Left): Promise<Consequence[]>
}

/** Says in the transaction that would keep something of a program, its changes or its plan, whether that may be kept. */
export type Confirm = (unit: Unit<Tables>, kept: 'changes' | 'plan') => Promise<boolean>

interface Asked extends Purpose {
  caller: Caller
  program: ProgramText
  signal?: AbortSignal | undefined
  /** Gives a long result as it is. */
  whole?: boolean | undefined
  onCall?: CallListener | undefined
  /** What its calls spend from; otherwise each spends as a request does. */
  budget?: RunBudget | undefined
  /** What its each_batch gets, where it is a background program. */
  batch?: BatchWork | undefined
  /** The transport's id of the request that brought the program. */
  requestId?: string | undefined
  /** Absent where everything may be kept. */
  confirm?: Confirm | undefined
}

/** One of the runs of a program, counted from 1. */
interface Attempt {
  number: number
  deadlineMs: number
  outside: OutsideMemory
}

/**
 * Runs a program as one transaction, as if it ran alone: what it wrote is kept when it ends well and undone when it does not.
 * When its account changed between its first read and its first write, it is undone and run again within its deadline, holding
 * the writer from its start. With `atomic: false` each call commits by itself and nothing is undone.
 */
export async function runProgram(parts: RunParts, asked: Asked): Promise<Run> {
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

async function runUntilDone(parts: RunParts, asked: Asked): Promise<Run> {
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

async function runOnce(parts: RunParts, asked: Asked, attempt: Attempt): Promise<Run> {
  const { caller, program, signal, whole = false, onCall, requestId, budget, batch, confirm } = asked
  const { outside } = attempt
  const startedAt = new Date()
  const together = program.atomic || program.dryRun
  const holdFromStart = attempt.number > 1
  const confirmed = confirm && ((unit: Unit<Tables>) => requireConfirmed(confirm, unit, 'changes'))
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
  const ended = await sandboxed(parts, requestId, {
    kind: 'execute',
    code: program.code,
    queueKey: caller.accountId,
    deadlineMs: attempt.deadlineMs,
    signal: either(signal, scope.takenAway),
    whole,
    call: (call) => calls.answer(call),
    ask: (question) => answerQuestion(parts, { caller, scope, calls, dryRun: program.dryRun }, question),
  })
  const outcome = batch ? ofBatch(ended, calls.batchTaken) : ended
  const ending = await endRun({
    ...asked,
    record: recorded(asked.record, confirmed),
    scope,
    calls,
    outcome,
    startedAt,
    together,
    foresee: () => foreseen(parts, { scope, caller, calls, requestId }),
  })
  await calls.end(CALL_GRACE_MS)
  return { ...ending, outcome, calls, startedAt, runs: attempt.number }
}

interface Ended {
  scope: ProgramScope<Tables>
  caller: Caller
  calls: ProgramCalls
  requestId: string | undefined
}

function foreseen(parts: RunParts, { scope, caller, calls, requestId }: Ended): Promise<Consequence[]> {
  return parts.foresee(scope, caller, calls.left).catch((error: unknown) => {
    if (!(error instanceof TransactionLostError))
      parts.log.error({ err: error, requestId }, 'What follows a commit could not be foreseen')
    throw error
  })
}

/** What only a background program can do wrong, and how one that was too long is mended. */
function ofBatch(ended: Outcome, batchTaken: boolean): Outcome {
  if (ended.ok) return batchTaken ? ended : { ...ended, ok: false, error: noBatchError() }
  const { error } = ended
  return TOO_LONG.includes(error.type) ? { ...ended, error: { ...error, hint: SMALLER_BATCHES } } : ended
}

const TOO_LONG = ['deadline_exceeded', 'call_limit', 'memory_limit']
const SMALLER_BATCHES = 'Take fewer rows a batch, by a smaller of:'

/** The confirmation comes first in the transaction, and is one with the effects. */
function recorded(record: Purpose['record'], confirmed: ((unit: Unit<Tables>) => Promise<void>) | undefined) {
  if (!confirmed) return record
  return async (unit: Unit<Tables>, body: { [key: string]: Json }) => {
    await confirmed(unit)
    await record?.(unit, body)
  }
}

/** Throws RecordRefused where what would be kept may not be. */
export async function requireConfirmed(confirm: Confirm, unit: Unit<Tables>, kept: 'changes' | 'plan'): Promise<void> {
  if (!(await confirm(unit, kept))) throw new RecordRefused(canceledError())
}

function either(signal: AbortSignal | undefined, other: AbortSignal): AbortSignal {
  return signal ? AbortSignal.any([signal, other]) : other
}

/** The sandbox never rejects; if it did all the same, the transaction must still end. */
async function sandboxed(
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
