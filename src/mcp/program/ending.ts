import { type Caller, isUser } from '../../contract/declarations/caller.ts'
import { type Consequence, type Consequences, summed } from '../../contract/declarations/consequence.ts'
import type { Difference } from '../../contract/declarations/planned-change.ts'
import { type Transaction, TransactionLostError } from '../../database/database.ts'
import { hasPostCommitWork, type PostCommitWork } from '../../pipeline/side-effects.ts'
import { writeLog } from '../../records/log.ts'
import type { Tables } from '../../resources/tables.ts'
import type { Json, Outcome } from '../../sandbox/api.ts'
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

export interface Ending {
  error: RunError | null
  committed: Committed
  differences: Difference[]
  /** The effects outside the database, such as emails. Empty unless the run is a dry run or applies a plan. */
  consequences: Consequences[]
  body: { [key: string]: Json }
}

export interface SuccessfulRun {
  outcome: Outcome & { ok: true }
  calls: ProgramCalls
  wrote: boolean
  consequences: Consequences[]
  /** The effects outside the database that the rehearsed runs of tasks would have. */
  rehearsedConsequences: Consequences[]
}

export interface RunPurpose {
  /** The changes of the plan that the run applies. The run must make exactly these changes. */
  planned?: RunChanges | undefined
  /** The plan that the run applies, and the person who approved it. */
  approved?: { plan: string; by: string | null } | undefined
  /** Builds the response to a successful run, before the commit. */
  answer(run: SuccessfulRun): { [key: string]: Json }
  /** Writes additional rows in the program's transaction, such as the stored response or the closed plan. */
  record?: ((unit: Transaction<Tables>, body: { [key: string]: Json }) => Promise<void>) | undefined
  /** Whether `record` is called even if the program wrote nothing, so that the position of a background program is saved. */
  recordsAlways?: boolean | undefined
  wakeWorker?: (() => void) | undefined
}

interface EndedRun extends RunPurpose {
  caller: Caller
  program: ProgramText
  scope: ProgramScope<Tables>
  calls: ProgramCalls
  outcome: Outcome
  startedAt: Date
  together: boolean
  /** Returns the effects outside the database, such as emails, that the calls will have after the commit. */
  foresee(left: PostCommitWork): Promise<Consequence[]>
  signal?: AbortSignal | undefined
}

export async function endRun(run: EndedRun): Promise<Ending> {
  const { outcome, program, scope, together, signal } = run
  if (!outcome.ok) return rollBackRun(run, outcome.error)
  const overlooked = together ? overlookedWrite(run) : null
  if (overlooked) return rollBackRun(run, overlooked)
  const consequences = program.dryRun || run.planned ? await previewEffects(run, run.calls.left) : []
  const rehearsedConsequences = run.calls.rehearsed ? await previewEffects(run, run.calls.rehearsed.left) : []
  if (consequences === null || rehearsedConsequences === null) return rollBackRun(run, sandboxFailedError())
  const found = run.planned ? differences(run.planned, { ...changesOf(run), consequences }) : []
  if (found.length > 0) return { ...(await rollBackRun(run, planOutdatedError())), differences: found }
  const body = run.answer({ outcome, calls: run.calls, wrote: scope.wrote, consequences, rehearsedConsequences })
  const ended = { body, consequences }
  if (program.dryRun || (together && signal?.aborted)) return { ...(await rollBackRun(run, null)), ...ended }
  return { ...(await commit(run, body)), ...ended }
}

/** Returns the effects outside the database, or null if they cannot be determined. The run must then be rolled back. */
async function previewEffects({ foresee, scope }: EndedRun, left: PostCommitWork): Promise<Consequences[] | null> {
  try {
    await scope.settled()
    return summed(await foresee(left))
  } catch (error) {
    if (error instanceof TransactionLostError) scope.lose(error)
    return null
  }
}

export function changesOf({
  calls,
  startedAt,
}: {
  calls: ProgramCalls
  startedAt: Date
}): Omit<RunChanges, 'consequences'> {
  return { changes: plannedChanges(calls.changes.all(), calls.startId), startedAt: startedAt.getTime() }
}

/** Finds a refused write whose response the program ignored. A program that wrote nothing may return the refusal as its result. */
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
    // A program without changes has nothing to log.
    if (together && scope.wrote) await scope.transaction(({ db }) => logProgram(db, run))
    if (record && together && (scope.wrote || run.recordsAlways)) await scope.transaction((unit) => record(unit, body))
    await scope.commit()
    if (hasPostCommitWork(calls.left)) run.wakeWorker?.()
    return { ...EMPTY_ENDING, error: null, committed: together ? 'all' : committedSeparately(scope, outcome) }
  } catch (error) {
    await scope.rollback().catch(() => {})
    if (error instanceof TransactionLostError) return { ...EMPTY_ENDING, error: lostError(error), committed: 'none' }
    if (error instanceof RecordRefused) return { ...EMPTY_ENDING, error: error.reason, committed: 'none' }
    return { ...EMPTY_ENDING, error: commitFailedError(), committed: 'unknown' }
  }
}

async function logProgram(db: Transaction<Tables>['db'], { caller, calls, approved }: EndedRun): Promise<void> {
  if (!isUser(caller)) return
  await writeLog(db, caller, {
    kind: 'program',
    changes: calls.changes.counts(),
    plan: approved?.plan ?? null,
    approver: approved?.by ?? null,
  })
}

/** Thrown when a row cannot be recorded with the run, because its plan or `# once:` key was used by another caller meanwhile. */
export class RecordRefused extends Error {
  readonly reason: RunError

  constructor(reason: RunError) {
    super(reason.message)
    this.reason = reason
  }
}

/** A failed rollback is ignored because the database discards uncommitted changes anyway. */
async function rollBackRun(run: EndedRun, error: RunError | null): Promise<Ending> {
  const { scope, outcome, together } = run
  await scope.rollback().catch(() => {})
  if (!together && hasPostCommitWork(run.calls.left)) run.wakeWorker?.()
  const committed = together ? 'none' : committedSeparately(scope, outcome)
  return { ...EMPTY_ENDING, error: rollbackError(run, error), committed }
}

/** Returns null for a successful dry run. */
function rollbackError({ scope, outcome, signal }: EndedRun, error: RunError | null): RunError | null {
  if (scope.loss !== null && !signal?.aborted) return lostError(scope.loss, outcome.ok ? undefined : outcome.error)
  if (error) return error
  return signal?.aborted ? canceledError() : null
}

/** Returns how much of a non-atomic program is committed. A program with an invalid result has made all of its calls. */
function committedSeparately(scope: ProgramScope<Tables>, outcome: Outcome): Committed {
  const reachedItsEnd = outcome.ok || (outcome.error.type === 'invalid_result' && scope.wrote)
  if (reachedItsEnd) return 'all'
  return scope.wrote ? 'partial' : 'none'
}

const EMPTY_ENDING: Pick<Ending, 'differences' | 'consequences' | 'body'> = {
  differences: [],
  consequences: [],
  body: {},
}
