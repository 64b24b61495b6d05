import type { Caller } from '../contract/declarations/caller.ts'
import { rightOf } from '../contract/declarations/rights.ts'
import { currentTimestamp } from '../contract/values/values.ts'
import type { Unit } from '../database/database.ts'
import { awaitPlan, keepAnswer } from '../pipeline/awaited-plans.ts'
import { sealAnswer } from '../pipeline/kept-answers.ts'
import type { ProgramBudgetOptions, RunBudget } from '../pipeline/program-budget.ts'
import type { ProgramPlanRow } from '../pipeline/program-plans.ts'
import type { Tables } from '../resources/tables.ts'
import type { Json } from '../sandbox/door.ts'
import type { Storage } from '../storage/room.ts'
import {
  executedBody,
  failureAnswer,
  keptBody,
  notRunAnswer,
  problemAnswer,
  searchAnswer,
  type ToolAnswer,
} from './answer.ts'
import { approvedBatch } from './background/approved.ts'
import { answerCommand, type BackgroundParts } from './background/background.ts'
import { FirstBatch } from './background/first-batch.ts'
import type { ExecuteOptions, SearchOptions, ToolRunner } from './endpoint/server.ts'
import type { Handle } from './handles/handle.ts'
import { cancelPlanHandle, type HandleParts, planHandle } from './handles/plan-handles.ts'
import { type ApprovalParts, actingFor } from './program/approval.ts'
import type { BatchWork } from './program/batch-work.ts'
import { type OnceKey, OnceTurns, recordAnswer, storedAnswer } from './program/once.ts'
import {
  closeApplied,
  isMaker,
  plannedBy,
  planOf,
  planToApply,
  planToMakeAgain,
  withdrawPlan,
} from './program/plans.ts'
import { type Run, type RunParts, requireConfirmed, runProgram } from './program/run.ts'
import { permissionError, planOutdatedError } from './program/run-error.ts'
import { type ProgramText, readProgram, readText } from './program/text.ts'
import type { RunLog } from './run-log.ts'
import { executeRecord, searchRecord } from './run-record.ts'

type Body = { [key: string]: Json }

export interface ToolParts extends RunParts, ApprovalParts, BackgroundParts, HandleParts {
  /** How much the account may store: plans count. */
  storage: Storage
  /** Makes what one program of a caller spends from. */
  programBudget(caller: Caller, options: ProgramBudgetOptions): RunBudget
}

/** One execution: a program, and what is written together with its effects. */
interface Execution {
  caller: Caller
  program: ProgramText
  options: ExecuteOptions
  /** The plan that it carries out. */
  plan?: ProgramPlanRow
  /** The batch that it does, where it is a background program. */
  batch?: BatchWork
  /** The plan whose place its own takes. */
  replaces?: ProgramPlanRow
  /** The client waits for the decision on its plan. */
  awaited?: boolean
  record?: (unit: Unit<Tables>, body: Body) => Promise<void>
}

/** `code_search` and `code_execute`. Every failure is an answer. */
export class Tools implements ToolRunner {
  readonly #parts: ToolParts
  readonly #runs: RunLog
  readonly #onceTurns = new OnceTurns()

  constructor(parts: ToolParts, runs: RunLog) {
    this.#parts = parts
    this.#runs = runs
  }

  /** Runs a program over the catalogue. */
  async search(caller: Caller, code: unknown, options: SearchOptions = {}): Promise<ToolAnswer> {
    const program = readProgram(code)
    if ('message' in program) return problemAnswer(program)
    if ('planId' in program || 'verb' in program)
      return notRunAnswer(permissionError('code_search changes nothing; use code_execute.'))
    const startedAt = currentTimestamp()
    const { sandbox } = this.#parts
    const outcome = await sandbox.run({ kind: 'search', code: program.code, queueKey: caller.accountId, ...options })
    this.#runs.record(searchRecord(caller, program, outcome, startedAt))
    return searchAnswer(outcome)
  }

  /** Runs a program against the live API, or applies or withdraws the plan that it names. */
  async execute(caller: Caller, code: unknown, options: ExecuteOptions = {}): Promise<ToolAnswer> {
    const program = readProgram(code)
    if ('message' in program) return problemAnswer(program)
    if ('planId' in program)
      return program.command === 'apply'
        ? this.#apply(caller, program.planId, options)
        : this.#withdraw(caller, program.planId)
    if ('verb' in program) return answerCommand(this.#parts, caller, program)
    const dryRun = program.dryRun || options.dryRun === true
    const rightfulProgram = rightful({ ...program, dryRun }, caller)
    // Whoever asks for a dry run reads its answer.
    const awaited = options.waits === true && rightfulProgram.dryRun && !dryRun
    return this.#once({ caller, program: rightfulProgram, options, awaited })
  }

  /**
   * Plans the program of a plan anew, with the rights of whoever planned it and no more than the person has who asks. The new plan
   * takes the old one's place; where the program fails or would change nothing now, the old one stays.
   */
  async planAgain(caller: Caller, planId: string): Promise<ToolAnswer> {
    const plan = await planToMakeAgain(this.#parts, caller, planId)
    if ('message' in plan) return notRunAnswer(plan)
    const acting = await actingFor(this.#parts, caller, plan)
    if ('message' in acting) return notRunAnswer(acting)
    const program = { ...programOf(plan), dryRun: true }
    return this.#run({ caller: acting, program, options: {}, replaces: plan })
  }

  /** A client that can wait gets the answer when a person has decided. */
  async #mayNotApply(caller: Caller, plan: ProgramPlanRow, { waits }: ExecuteOptions): Promise<ToolAnswer> {
    const held = waits && proposes(caller) && isMaker(caller, plan) && (await awaitPlan(this.#parts.database, plan))
    const answer = notRunAnswer(permissionError(MAY_NOT_APPLY))
    return held ? { ...answer, handle: plan.id } : answer
  }

  findHandle(caller: Caller, id: string): Promise<Handle | null> {
    return planHandle(this.#parts, caller, id)
  }

  cancelHandle(caller: Caller, id: string): Promise<boolean> {
    return cancelPlanHandle(this.#parts, caller, id)
  }

  async #withdraw(caller: Caller, planId: string): Promise<ToolAnswer> {
    const refused = await withdrawPlan(this.#parts, caller, planId)
    return refused ? notRunAnswer(refused) : { body: { result: { plan: planId, state: 'withdrawn' } }, isError: false }
  }

  /** Runs the stored program of a plan again, and keeps it only when it does what was planned. */
  async #apply(caller: Caller, planId: string, options: ExecuteOptions): Promise<ToolAnswer> {
    const plan = await planToApply(this.#parts, caller, planId)
    if ('message' in plan) return notRunAnswer(plan)
    if (rightOf(caller) !== 'write') return this.#mayNotApply(caller, plan, options)
    const acting = await actingFor(this.#parts, caller, plan)
    if ('message' in acting) return notRunAnswer(acting)
    const program = { ...programOf(plan), dryRun: false }
    const record = async (unit: Unit<Tables>, body: Body) => {
      await closeApplied(unit, plan, body.output, options.decider)
      await keepAnswer(unit, plan, sealAnswer(this.#parts.vault, keptBody(body)))
    }
    const batch = program.background ? await approvedBatch(this.#parts, plan, caller) : null
    if (batch && 'message' in batch) return notRunAnswer(batch)
    const answer = await this.#once({ caller: acting, program, options, plan, record, ...(batch && { batch }) })
    if (!answer.isError) return answer
    // Another may have applied it meanwhile, which says more than what this run met.
    const now = await planToApply(this.#parts, caller, planId)
    return 'message' in now ? notRunAnswer(now) : asOutdated(answer)
  }

  /** A program with `# once:` answers with the answer of the run that was committed, where there is one. */
  async #once(execution: Execution): Promise<ToolAnswer> {
    const { caller, program } = execution
    // Who may only read gets no answer of a program that wrote: it may hold secrets that are shown once.
    const repeats = program.once !== null && !program.dryRun && rightOf(caller) !== 'read'
    if (program.once === null || !repeats) return this.#run(execution)
    const key = { accountId: caller.accountId, key: program.once, code: program.code }
    const { signal } = execution.options
    const answer = await this.#onceTurns.take(
      key,
      signal,
      async () => (await this.#stored(key)) ?? this.#runOnce(execution, key),
    )
    return 'refused' in answer ? notRunAnswer(answer.refused) : answer
  }

  async #stored(key: OnceKey): Promise<ToolAnswer | null> {
    const stored = await storedAnswer(this.#parts, key)
    if (stored === null) return null
    return 'error' in stored ? notRunAnswer(stored.error) : { body: stored.body, isError: false }
  }

  async #runOnce(execution: Execution, key: OnceKey): Promise<ToolAnswer> {
    const record = async (unit: Unit<Tables>, body: Body) => {
      await execution.record?.(unit, body)
      await recordAnswer(unit, this.#parts.vault, key, keptBody(body))
    }
    const answer = await this.#run({ ...execution, record })
    // Another replica may have been faster: then its answer is the answer.
    return answer.isError ? ((await this.#stored(key)) ?? answer) : answer
  }

  async #run(execution: Execution): Promise<ToolAnswer> {
    const { caller, program, options, plan, record } = execution
    const startedAt = currentTimestamp()
    const batch =
      execution.batch ?? (program.background ? new FirstBatch(this.#parts.lists, caller, program) : undefined)
    const run = await runProgram(this.#parts, {
      caller,
      program,
      ...options,
      budget: options.budget ?? this.#parts.programBudget(caller, { requestPaid: false }),
      planned: plan && plannedBy(plan),
      batch,
      record: batch ? together(batch, record) : record,
      recordsAlways: batch !== undefined,
      answer: (ended) => withProgress(executedBody(program, ended), batch?.ended(ended)),
      wakeWorker: () => this.#parts.wakeWorker(),
    })
    const made = program.dryRun && !run.error ? await this.#plan({ ...execution, ...(batch && { batch }) }, run) : {}
    const named = plan?.id ?? (typeof made.plan === 'string' ? made.plan : null)
    this.#runs.record(executeRecord(caller, program, run, { startedAt, plan: named }))
    if (run.error) return failureAnswer(run)
    const body = program.dryRun ? merged(made, run.body, caller) : run.body
    return { body, isError: false, ...(execution.awaited && typeof made.plan === 'string' && { handle: made.plan }) }
  }

  async #plan({ caller, program, options, replaces, awaited, batch }: Execution, run: Run): Promise<Body> {
    const confirm = async (unit: Unit<Tables>, plan: ProgramPlanRow) => {
      if (options.confirm) await requireConfirmed(options.confirm, unit, 'plan')
      if (batch instanceof FirstBatch) await batch.recordPlanned(unit, plan)
    }
    const evenUnchanged = batch !== undefined
    const plan = await planOf(this.#parts, caller, program.code, run, { confirm, replaces, awaited, evenUnchanged })
    // Approvers are written to.
    if ('plan' in plan && proposes(caller)) this.#parts.wakeWorker()
    return plan
  }
}

/** What a batch remembers comes first: it decides whether the batch is kept. */
function together(batch: BatchWork, record: Execution['record']): NonNullable<Execution['record']> {
  return async (unit, body) => {
    await batch.record(unit)
    await record?.(unit, body)
  }
}

/** A background program answers how far it is. */
function withProgress(body: Body, progress: Json | undefined): Body {
  return progress === undefined ? body : { ...body, result: progress }
}

/** What a plan carries out: always as one transaction. */
function programOf({ id, code }: ProgramPlanRow): ProgramText {
  const stored = readText(code)
  if (!('atomic' in stored)) throw new Error(`The plan ${id} holds no program`)
  return { ...stored, atomic: true }
}

/** The program ended well when it was planned: where it fails by itself now, the shop has changed. */
function asOutdated({ body, isError }: ToolAnswer): ToolAnswer {
  const error = body.error as { [key: string]: Json }
  if (!FAILURES_OF_PROGRAMS.includes(String(error.type))) return { body, isError }
  const { message, hint } = planOutdatedError(String(error.message))
  return { body: { ...body, error: { ...error, type: 'plan_outdated', message, hint } }, isError }
}

const FAILURES_OF_PROGRAMS = ['refused', 'refusal_overlooked', 'ruby_error', 'invalid_result']

const MAY_NOT_APPLY =
  'This API token cannot apply plans. A person can, in the dashboard under Plans, or with npm run plans -- apply.'

function proposes(caller: Caller): boolean {
  return rightOf(caller) === 'propose'
}

/** A token that may only propose makes a plan of every program; one call at a time, it is refused each write instead. */
function rightful(program: ProgramText, caller: Caller): ProgramText {
  return proposes(caller) && program.atomic ? { ...program, dryRun: true } : program
}

/** The plan first, because clients cut long answers at their end. */
function merged({ warnings = [], ...plan }: Body, body: Body, caller: Caller): Body {
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
