import type { UserCaller } from '../../contract/declarations/caller.ts'
import { rightOf } from '../../contract/declarations/rights.ts'
import { currentTimestamp, laterBy } from '../../contract/values/values.ts'
import { changeAtWork } from '../../records/background/keep.ts'
import type { BackgroundRow } from '../../records/background/row.ts'
import { endedAs, isAtWork } from '../../records/background/state.ts'
import type { BatchDone, BatchJob } from '../../records/programs.ts'
import { rowsOf } from '../../records/rows-of.ts'
import { hintFor } from '../answer/hints.ts'
import { type Run, type RunParts, runProgram } from '../program/run.ts'
import { permissionError, type RunError } from '../program/run-error.ts'
import { type ProgramText, readText } from '../program/text.ts'
import type { RunLog } from '../run-log.ts'
import { executeRecord } from '../run-record.ts'
import type { BackgroundParts } from './background.ts'
import { NextBatch } from './next-batch.ts'
import { type Attempt, dropBatch } from './next-step.ts'

type ContinueParts = RunParts & BackgroundParts

/** Runs the next batch. Its changes and the program's new position are committed together, so no batch takes effect twice. */
export async function continueBackground(
  parts: ContinueParts,
  runs: RunLog,
  { accountId, program: id, jobId }: BatchJob,
  signal: AbortSignal,
): Promise<BatchDone> {
  const account = { db: parts.database.read, accountId }
  const row = await rowsOf(account, 'background_programs').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row || row.job !== jobId || !isAtWork(row)) return ENDED
  const caller = await callerOf(parts, row)
  if ('message' in caller) return endProgram(parts, row, 'stopped', caller)
  const { run, attempt, batch } = await attemptBatch(parts, { row, caller }, signal)
  runs.record({
    ...executeRecord(caller, programOf(row), run, { startedAt: run.startedAt.toISOString(), plan: row.plan }),
    background: id,
  })
  const { error } = run
  if (!error) return batch.goesOn === null ? ENDED : { again: true, afterMs: 0 }
  signal.throwIfAborted()
  return afterRollback(parts, attempt, batch, { ...run, error })
}

type FailedRun = Run & { error: RunError }

const ENDED: BatchDone = { again: false, afterMs: 0 }

async function callerOf({ callerOf: find }: ContinueParts, row: BackgroundRow): Promise<UserCaller | RunError> {
  const { account_id: accountId, user_id: userId, token_id: tokenId, caller_id } = row
  const [limits, approvers] = [JSON.parse(row.limits), JSON.parse(row.approvers)]
  const found = await find({ accountId, userId, tokenId, limits, approvers })
  if (!found)
    return permissionError('Its maker or an approver has lost access: an API token was deleted, or a user has left.')
  if (rightOf(found) !== 'write') return permissionError('The API token that began it may not write any more.')
  const origin = row.origin === null ? {} : { origin: JSON.parse(row.origin) }
  return found.kind === 'session' ? { ...found, ...origin, sessionId: caller_id } : { ...found, ...origin }
}

async function attemptBatch(
  parts: ContinueParts,
  { row, caller }: { row: BackgroundRow; caller: UserCaller },
  signal: AbortSignal,
) {
  const given = new AbortController()
  const budget = parts.batchBudget(caller, row.calls_paid, () => given.abort())
  const attempt: Attempt = { row, budget, metLimit: false }
  const batch = new NextBatch(parts, row)
  const run = await runProgram(parts, {
    caller,
    program: programOf(row),
    budget,
    batch,
    signal: AbortSignal.any([signal, given.signal]),
    onCall: ({ status }) => {
      if (status !== 429) return
      attempt.metLimit = true
      given.abort()
    },
    answer: (ended) => {
      batch.ended(ended)
      return {}
    },
    record: (unit) => batch.record(unit),
    recordsAlways: true,
    wakeWorker: () => parts.wakeWorker(),
  })
  return { run, attempt, batch }
}

function programOf({ id, code }: BackgroundRow): ProgramText {
  const program = readText(code)
  if (!('background' in program)) throw new Error(`The background program ${id} holds no program`)
  return { ...program, dryRun: false }
}

async function afterRollback(
  parts: ContinueParts,
  attempt: Attempt,
  batch: NextBatch,
  run: FailedRun,
): Promise<BatchDone> {
  const { row } = attempt
  const step = dropBatch(attempt, run.error, batch.unapproved)
  if (step.kind === 'ended') return ENDED
  if (step.kind === 'approval') {
    const asked_operations = JSON.stringify(batch.unapproved)
    await updateProgram(parts, row, {
      state: 'waiting_for_approval',
      asked_operations,
      job: null,
      ...errorOf(run.error, run),
    })
    return ENDED
  }
  if (step.kind !== 'again') return endProgram(parts, row, 'failed', run.error, run)
  const next_at = step.afterMs > 0 ? laterBy(currentTimestamp(), step.afterMs) : null
  await updateProgram(parts, row, { batch_size: step.size, calls_paid: step.paid, next_at, state: row.state })
  return { again: true, afterMs: step.afterMs }
}

async function endProgram(
  parts: ContinueParts,
  row: BackgroundRow,
  state: 'stopped' | 'failed',
  error: RunError,
  run?: Run,
) {
  await updateProgram(parts, row, { ...endedAs(state), job: null, next_at: null, ...errorOf(error, run) })
  return ENDED
}

function errorOf(error: RunError, run?: Run): Partial<BackgroundRow> {
  const hint = run ? hintFor(error, run.calls.journal.calls, run.calls.journal.count) : error.hint
  const stored = (text: string | null) => text?.slice(0, MOST_TEXT).replaceAll('\0', '\u2400')
  return {
    error_type: error.type,
    error: stored(error.message) ?? '',
    error_line: error.line,
    error_hint: stored(hint) ?? null,
  }
}

const MOST_TEXT = 2_000

function updateProgram(
  { database }: ContinueParts,
  row: BackgroundRow,
  changes: Partial<BackgroundRow>,
): Promise<boolean> {
  const { account_id: accountId } = row
  return database.transaction(({ db }) => changeAtWork({ db, accountId }, row, changes), { account: accountId })
}
