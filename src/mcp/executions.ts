import type { Caller } from '../contract/declarations/caller.ts'
import { rightOf } from '../contract/declarations/rights.ts'
import { currentTimestamp } from '../contract/values/values.ts'
import type { Transaction } from '../database/database.ts'
import type { ProgramBudgetOptions, RunBudget } from '../pipeline/program-budget.ts'
import type { ProgramPlanRow } from '../pipeline/program-plans.ts'
import type { Storage } from '../quota/room.ts'
import type { Tables } from '../resources/tables.ts'
import type { Json } from '../sandbox/api.ts'
import { executedBody, failureAnswer, keptBody, notRunAnswer, type ToolAnswer } from './answer.ts'
import { type BackgroundParts, presentAnswer } from './background/background.ts'
import { FirstBatch } from './background/first-batch.ts'
import type { ExecuteOptions } from './endpoint/server.ts'
import type { BatchWork } from './program/batch-work.ts'
import type { SuccessfulRun } from './program/ending.ts'
import { type OnceKey, OnceTurns, onceKeyOf, recordAnswer, storedAnswer } from './program/once.ts'
import { plannedBy, planOf } from './program/plans.ts'
import { type Run, type RunParts, requireConfirmed, runProgram } from './program/run.ts'
import type { ProgramText } from './program/text.ts'
import type { RunLog } from './run-log.ts'
import { executeRecord } from './run-record.ts'

type ResponseBody = { [key: string]: Json }

export interface ExecutionParts extends RunParts, BackgroundParts {
  /** The account's storage quota. Stored plans count toward it. */
  storage: Storage
  programBudget(caller: Caller, options: ProgramBudgetOptions): RunBudget
}

export interface Execution {
  caller: Caller
  program: ProgramText
  options: ExecuteOptions
  plan?: ProgramPlanRow
  /** The person who applied the plan. */
  approver?: string | null
  batch?: BatchWork
  /** The older plan that the plan of this dry run replaces. */
  replaces?: ProgramPlanRow
  /** Whether the client waits for a person to approve or reject the plan. */
  awaited?: boolean
  record?: (unit: Transaction<Tables>, body: ResponseBody) => Promise<void>
}

/** Runs programs according to their settings: at most once (`# once:`), as a dry run, or as the first of several batches. */
export class Executions {
  readonly #parts: ExecutionParts
  readonly #runs: RunLog
  readonly #onceTurns = new OnceTurns()

  constructor(parts: ExecutionParts, runs: RunLog) {
    this.#parts = parts
    this.#runs = runs
  }

  /** Runs a program, or returns the stored response if the caller has already run a program with the same `# once:` key. */
  async once(execution: Execution): Promise<ToolAnswer> {
    const { caller, program } = execution
    // A read-only token never gets a stored response, because the response may contain a secret that is shown only once.
    const repeats = program.once !== null && !program.dryRun && rightOf(caller) !== 'read'
    if (program.once === null || !repeats) return this.run(execution)
    const reader = execution.plan ? (execution.approver ?? null) : null
    const key = onceKeyOf(caller, program.once, { code: program.code, reader })
    const { signal } = execution.options
    const answer = await this.#onceTurns.take(
      key,
      signal,
      async () => (await this.#stored(execution, key)) ?? this.#runOnce(execution, key),
    )
    return 'refused' in answer ? notRunAnswer(answer.refused) : answer
  }

  /** Returns the stored response. For a background program, the response has the current progress. */
  async #stored({ caller, program, options }: Execution, key: OnceKey): Promise<ToolAnswer | null> {
    const stored = await storedAnswer(this.#parts, key)
    if (stored === null) return null
    if ('error' in stored) return notRunAnswer(stored.error)
    const { body } = stored
    return program.background ? presentAnswer(this.#parts, caller, { body, options }) : { body, isError: false }
  }

  async #runOnce(execution: Execution, key: OnceKey): Promise<ToolAnswer> {
    const record = async (unit: Transaction<Tables>, body: ResponseBody) => {
      await execution.record?.(unit, body)
      await recordAnswer(unit, this.#parts.vault, key, keptBody(body))
    }
    const answer = await this.run({ ...execution, record })
    // If another replica ran the program first, return the response that the other replica stored.
    return answer.isError ? ((await this.#stored(execution, key)) ?? answer) : answer
  }

  async run(execution: Execution): Promise<ToolAnswer> {
    const { caller, program, options, plan, record } = execution
    const startedAt = currentTimestamp()
    const batch = execution.batch ?? (program.background ? new FirstBatch(this.#parts, caller, program) : undefined)
    const run = await runProgram(this.#parts, {
      caller,
      program,
      ...options,
      budget: options.budget ?? this.#parts.programBudget(caller, { requestPaid: false }),
      planned: plan && plannedBy(plan),
      approved: plan && { plan: plan.id, by: execution.approver ?? null },
      batch,
      record: batch ? recordingBatchFirst(batch, record) : record,
      recordsAlways: batch !== undefined,
      answer: (ended) => withProgress(executedBody(program, ended), batch, ended),
      wakeWorker: () => this.#parts.wakeWorker(),
    })
    const made = program.dryRun && !run.error ? await this.#plan({ ...execution, ...(batch && { batch }) }, run) : {}
    const named = plan?.id ?? (typeof made.plan === 'string' ? made.plan : null)
    const background = run.error || program.dryRun ? null : (batch?.id ?? null)
    this.#runs.record({ ...executeRecord(caller, program, run, { startedAt, plan: named }), background })
    if (run.error) return failureAnswer(run)
    const body = program.dryRun ? withPlan(made, run.body, caller) : run.body
    const handle = program.dryRun ? execution.awaited && made.plan : awaitedProgram(execution, batch, body)
    return { body, isError: false, ...(typeof handle === 'string' && { handle }) }
  }

  async #plan({ caller, program, options, replaces, awaited, batch }: Execution, run: Run): Promise<ResponseBody> {
    if (run.calls.rehearsed && batch) return { warnings: [NO_PLAN_AFTER_REHEARSAL] }
    const confirm = async (unit: Transaction<Tables>, plan: ProgramPlanRow) => {
      if (options.confirm) await requireConfirmed(options.confirm, unit, 'plan')
      if (batch instanceof FirstBatch) await batch.recordPlanned(unit, plan)
    }
    const evenUnchanged = batch !== undefined
    const alsoNeeds = batch instanceof FirstBatch ? batch.needs : []
    const kept = { confirm, replaces, awaited, evenUnchanged, alsoNeeds }
    const plan = await planOf(this.#parts, caller, program.code, run, kept)
    // The worker sends emails to the people who can approve the plan.
    if ('plan' in plan && proposes(caller)) this.#parts.wakeWorker()
    return plan
  }
}

/** Returns a function that records the batch first, because the batch decides whether the transaction can be committed. */
function recordingBatchFirst(batch: BatchWork, record: Execution['record']): NonNullable<Execution['record']> {
  return async (unit, body) => {
    await batch.record(unit)
    await record?.(unit, body)
  }
}

/** Sets the result of a background program to its progress, and `committed` to `batch` as long as more batches follow. */
function withProgress(body: ResponseBody, batch: BatchWork | undefined, run: SuccessfulRun): ResponseBody {
  if (!batch) return body
  const result = batch.ended(run)
  const isPart = body.committed === 'all' && batch.goesOn !== null
  return { ...body, ...(isPart && { committed: 'batch' }), result }
}

/** Returns the id of the background program to poll; null if there are warnings, which the client must see at once. */
function awaitedProgram(
  { options }: Execution,
  batch: BatchWork | undefined,
  { warnings }: ResponseBody,
): string | null {
  return options.waits && batch && warnings === undefined ? batch.goesOn : null
}

export function proposes(caller: Caller): boolean {
  return rightOf(caller) === 'propose'
}

const NO_PLAN_AFTER_REHEARSAL =
  'There is no plan, because a background program that rehearses a task cannot be applied.'

/** Puts the plan first, because clients cut off the end of long responses. */
function withPlan({ warnings = [], ...plan }: ResponseBody, body: ResponseBody, caller: Caller): ResponseBody {
  const told =
    proposes(caller) && 'plan' in plan
      ? [
          `Nothing was changed. A person can apply it in the dashboard, under Plans, or with npm run plans -- apply ${plan.plan}. ` +
            `Later, run "# apply: ${plan.plan}" to see the decision.`,
        ]
      : []
  const all = [...told, ...(warnings as string[]), ...((body.warnings as string[] | undefined) ?? [])]
  return { ...plan, ...body, ...(all.length > 0 && { warnings: all }) }
}
