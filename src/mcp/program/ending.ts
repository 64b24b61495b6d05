import { type Caller, isUser } from '../../contract/declarations/caller.ts'
import { type Consequence, type Consequences, summed } from '../../contract/declarations/consequence.ts'
import type { Difference } from '../../contract/declarations/planned-change.ts'
import { TransactionLostError, type Unit } from '../../database/database.ts'
import { isLeft } from '../../pipeline/foresee.ts'
import { writeLog } from '../../records/log.ts'
import type { Tables } from '../../resources/tables.ts'
import type { Json, Outcome } from '../../sandbox/door.ts'
import type { ProgramCalls } from './calls.ts'
import { differences, plannedChanges, type RunChanges } from './plan-comparison.ts'
import {
  canceledError,
  commitFailedError,
  lostError,
  overlookedError,
  planOutdatedError,
  type RunError,
  sandboxFailedError,
} from './run-error.ts'
import type { ProgramScope } from './scope.ts'
import type { ProgramText } from './text.ts'

type Committed = 'none' | 'all' | 'partial' | 'unknown'

/** How one run ended. */
export interface Ending {
  error: RunError | null
  committed: Committed
  /** Where the run would do otherwise than planned. */
  differences: Difference[]
  /** What would follow the commit; empty unless it is a dry run or carries out a plan. */
  consequences: Consequences[]
  /** What the tool answers, when the program ended well. */
  body: { [key: string]: Json }
}

/** A run that ended well, before it is committed. */
export interface EndedWell {
  outcome: Outcome & { ok: true }
  calls: ProgramCalls
  wrote: boolean
  consequences: Consequences[]
}

/** What a run is for, besides running the program. */
export interface Purpose {
  /** The plan that the run must carry out, exactly. */
  planned?: RunChanges | undefined
  /** The plan that it carries out, and the person who applied it. */
  approved?: { plan: string; by: string | null } | undefined
  /** Makes the answer of a run that ended well, before it is committed. */
  answer(run: EndedWell): { [key: string]: Json }
  /** Written in the program's own transaction, together with its effects: the stored answer, the closed plan. */
  record?: ((unit: Unit<Tables>, body: { [key: string]: Json }) => Promise<void>) | undefined
  /** It is recorded although nothing was written: where a background program is. */
  recordsAlways?: boolean | undefined
  /** Jobs were committed, and the worker should hear of them. */
  wakeWorker?: (() => void) | undefined
}

/** One run whose program is over. */
interface EndedRun extends Purpose {
  caller: Caller
  program: ProgramText
  scope: ProgramScope<Tables>
  calls: ProgramCalls
  outcome: Outcome
  startedAt: Date
  /** All calls are one transaction. */
  together: boolean
  /** What would follow its commit. */
  foresee(): Promise<Consequence[]>
  signal?: AbortSignal | undefined
}

/** Keeps or undoes what a run did, and says which. */
export async function endRun(run: EndedRun): Promise<Ending> {
  const { outcome, program, scope, together, signal } = run
  if (!outcome.ok) return undone(run, outcome.error)
  const overlooked = together ? overlookedWrite(run) : null
  if (overlooked) return undone(run, overlooked)
  const consequences = program.dryRun || run.planned ? await foreseen(run) : []
  if (consequences === null) return undone(run, sandboxFailedError())
  const found = run.planned ? differences(run.planned, { ...changesOf(run), consequences }) : []
  if (found.length > 0) return { ...(await undone(run, planOutdatedError())), differences: found }
  const body = run.answer({ outcome, calls: run.calls, wrote: scope.wrote, consequences })
  const ended = { body, consequences }
  if (program.dryRun || (together && signal?.aborted)) return { ...(await undone(run, null)), ...ended }
  return { ...(await commit(run, body)), ...ended }
}

/** Null where that cannot be read: then nothing is kept that nobody could look at before. */
async function foreseen({ foresee, scope }: EndedRun): Promise<Consequences[] | null> {
  try {
    await scope.settled()
    return summed(await foresee())
  } catch (error) {
    if (error instanceof TransactionLostError) scope.lose(error)
    return null
  }
}

/** The run's changes as plans keep them. */
export function changesOf({
  calls,
  startedAt,
}: {
  calls: ProgramCalls
  startedAt: Date
}): Omit<RunChanges, 'consequences'> {
  const begunMs = startedAt.getTime()
  return { changes: plannedChanges(calls.changes.all(), begunMs), startedAt: begunMs }
}

/**
 * A program that never looked at a refused write has not done what it says. One that wrote nothing may return a refusal as
 * its value, as REST would.
 */
function overlookedWrite({ calls, outcome, program, scope }: EndedRun): RunError | null {
  const shown = scope.wrote ? [] : outcome.returned
  const write = calls.refusedWrite(outcome.overlooked.filter((ordinal) => !shown.includes(ordinal)))
  if (!write) return null
  const source = write.line === null ? null : (program.code.split('\n')[write.line - 1]?.trim().slice(0, 500) ?? null)
  return overlookedError({ ...write, source })
}

async function commit(run: EndedRun, body: { [key: string]: Json }): Promise<Ending> {
  const { scope, calls, record, together, outcome } = run
  try {
    // Without effects there is nothing that could happen twice.
    if (together && scope.wrote) await scope.transaction(({ db }) => logProgram(db, run))
    if (record && together && (scope.wrote || run.recordsAlways)) await scope.transaction((unit) => record(unit, body))
    await scope.commit()
    if (isLeft(calls.left)) run.wakeWorker?.()
    return { ...CLEAN, error: null, committed: together ? 'all' : keptAlone(scope, outcome) }
  } catch (error) {
    await scope.rollback().catch(() => {})
    if (error instanceof TransactionLostError) return { ...CLEAN, error: lostError(error), committed: 'none' }
    if (error instanceof RecordRefused) return { ...CLEAN, error: error.reason, committed: 'none' }
    return { ...CLEAN, error: commitFailedError(), committed: 'unknown' }
  }
}

/** One entry says what all calls changed; a program that only read has none. */
async function logProgram(db: Unit<Tables>['db'], { caller, calls, approved }: EndedRun): Promise<void> {
  if (!isUser(caller)) return
  await writeLog(db, caller, {
    kind: 'program',
    changes: calls.changes.counts(),
    plan: approved?.plan ?? null,
    approver: approved?.by ?? null,
  })
}

/** What is to be recorded with a run turns out to be impossible: the plan was closed, or the key was used, meanwhile. */
export class RecordRefused extends Error {
  override name = 'RecordRefused'
  readonly reason: RunError

  constructor(reason: RunError) {
    super(reason.message)
    this.reason = reason
  }
}

/** A rollback that fails has nothing to undo: the database undoes what was never committed. */
async function undone(run: EndedRun, error: RunError | null): Promise<Ending> {
  const { scope, outcome, together } = run
  await scope.rollback().catch(() => {})
  if (!together && isLeft(run.calls.left)) run.wakeWorker?.()
  const committed = together ? 'none' : keptAlone(scope, outcome)
  return { ...CLEAN, error: undoneBecause(run, error), committed }
}

/** Null when it was meant to be undone: a dry run. */
function undoneBecause({ scope, outcome, signal }: EndedRun, error: RunError | null): RunError | null {
  if (scope.loss !== null && !signal?.aborted) return lostError(scope.loss, outcome.ok ? undefined : outcome.error)
  if (error) return error
  return signal?.aborted ? canceledError() : null
}

/** A result that could not become JSON comes after the last call: all of them were made. */
function keptAlone(scope: ProgramScope<Tables>, outcome: Outcome): Committed {
  const reachedItsEnd = outcome.ok || (outcome.error.type === 'invalid_result' && scope.wrote)
  if (reachedItsEnd) return 'all'
  return scope.wrote ? 'partial' : 'none'
}

const CLEAN: Pick<Ending, 'differences' | 'consequences' | 'body'> = { differences: [], consequences: [], body: {} }
