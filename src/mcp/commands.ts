import { type Caller, isUser } from '../contract/declarations/caller.ts'
import { rightOf } from '../contract/declarations/rights.ts'
import { mayDo, rolesNeeded } from '../contract/declarations/role-rights.ts'
import type { Scope, Transaction } from '../database/database.ts'
import { listed } from '../format/lists.ts'
import { awaitPlan, keepAnswer } from '../pipeline/awaited-plans.ts'
import { keptRights, sealAnswer } from '../pipeline/kept-answers.ts'
import type { ProgramPlanRow } from '../pipeline/program-plans.ts'
import { plannedBy } from '../records/background/keep.ts'
import { mayApply, rolesThatApply } from '../records/program-sight.ts'
import type { Tables } from '../resources/tables.ts'
import type { Json } from '../sandbox/api.ts'
import { keptBody, notRunAnswer, type ToolAnswer } from './answer.ts'
import { answerCommand, type BatchParts } from './background/background.ts'
import { ApprovedBatch } from './background/next-batch.ts'
import type { ExecuteOptions } from './endpoint/server.ts'
import { type ExecutionParts, type Executions, proposes } from './executions.ts'
import { type ApprovalParts, actingFor } from './program/approval.ts'
import { closeApplied, isMaker, planToApply, planToMakeAgain, withdrawPlan } from './program/plans.ts'
import { permissionError, planOutdatedError, planUnavailableError, type RunError } from './program/run-error.ts'
import { type BackgroundCommand, type PlanCommand, type ProgramText, readText } from './program/text.ts'

type ResponseBody = { [key: string]: Json }

export type CommandParts = ExecutionParts & ApprovalParts

/** Handles commands such as `# apply: plan_…`, which a client sends in place of a program. Failures are returned, not thrown. */
export class Commands {
  readonly #parts: CommandParts
  readonly #executions: Executions

  constructor(parts: CommandParts, executions: Executions) {
    this.#parts = parts
    this.#executions = executions
  }

  async answer(
    caller: Caller,
    command: PlanCommand | BackgroundCommand,
    options: ExecuteOptions = {},
  ): Promise<ToolAnswer> {
    if ('verb' in command) return answerCommand(this.#parts, caller, command)
    return command.command === 'apply'
      ? this.#apply(caller, command.planId, options)
      : this.#withdraw(caller, command.planId)
  }

  /**
   * Runs a plan's program again as a dry run and replaces the plan. The run has only the rights that both the planner and the caller have.
   * If it fails or would change nothing, the old plan stays open.
   */
  async planAgain(caller: Caller, planId: string): Promise<ToolAnswer> {
    const plan = await planToMakeAgain(this.#parts, caller, planId)
    if ('message' in plan) return notRunAnswer(plan)
    const refused = refusalToApply(caller, plan)
    if (refused) return notRunAnswer(refused)
    const acting = await actingFor(this.#parts, caller, plan)
    if ('message' in acting) return notRunAnswer(acting)
    const program = { ...programOf(plan), dryRun: true }
    return this.#executions.run({ caller: acting, program, options: {}, replaces: plan })
  }

  /** Runs the program of a plan and commits only if it makes exactly the planned changes. */
  async #apply(caller: Caller, planId: string, options: ExecuteOptions): Promise<ToolAnswer> {
    const plan = await planToApply(this.#parts, caller, planId)
    if ('message' in plan) return notRunAnswer(plan)
    if (rightOf(caller) !== 'write') return this.#mayNotApply(caller, plan, options)
    const refused = refusalToApply(caller, plan)
    if (refused) return notRunAnswer(refused)
    const acting = await actingFor(this.#parts, caller, plan)
    if ('message' in acting) return notRunAnswer(acting)
    const program = { ...programOf(plan), dryRun: false }
    const record = async (unit: Transaction<Tables>, body: ResponseBody) => {
      await closeApplied(unit, plan, body.output, options.decider)
      const answer = sealAnswer(this.#parts.vault, keptBody(body))
      await keepAnswer(unit, plan, { answer, answer_rights: keptRights(acting) })
    }
    const batch = program.background ? await approvedBatch(this.#parts, plan, caller) : null
    if (batch && 'message' in batch) return notRunAnswer(batch)
    const answer = await this.#executions.once({
      caller: acting,
      program,
      options,
      plan,
      approver: options.decider?.userId ?? (isUser(caller) ? caller.userId : null),
      record,
      ...(batch && { batch }),
    })
    if (!answer.isError) return answer
    // If another caller has applied the plan meanwhile, the error of the closed plan says more than the error of this run.
    const now = await planToApply(this.#parts, caller, planId)
    return 'message' in now ? notRunAnswer(now) : asOutdated(answer)
  }

  /** Refuses to apply the plan. A client that can wait gets an id at which it can poll for the decision and the final response. */
  async #mayNotApply(caller: Caller, plan: ProgramPlanRow, { waits }: ExecuteOptions): Promise<ToolAnswer> {
    const held = waits && proposes(caller) && isMaker(caller, plan) && (await awaitPlan(this.#parts.database, plan))
    const answer = notRunAnswer(permissionError(MAY_NOT_APPLY))
    return held ? { ...answer, handle: plan.id } : answer
  }

  async #withdraw(caller: Caller, planId: string): Promise<ToolAnswer> {
    const refused = await withdrawPlan(this.#parts, caller, planId)
    return refused ? notRunAnswer(refused) : { body: { result: { plan: planId, state: 'withdrawn' } }, isError: false }
  }
}

function refusalToApply(caller: Caller, plan: ProgramPlanRow): RunError | null {
  if (!mayDo(caller, 'programs.write')) return permissionError(`${rolesNeeded('programs.write')} to apply plans.`)
  // A task run is not checked, because the task requests approval again if its program is refused.
  if (mayApply(caller, plan) || !isUser(caller) || caller.origin) return null
  const roles = listed(rolesThatApply(plan), 'or')
  return permissionError(
    `Someone with the role ${roles} must apply this plan: it does more than your role, ${caller.role}, allows. It is still open.`,
  )
}

function programOf({ id, code }: ProgramPlanRow): ProgramText {
  const stored = readText(code)
  if (!('atomic' in stored)) throw new Error(`The plan ${id} holds no program`)
  return { ...stored, atomic: true }
}

/** Returns the first batch of a background program whose plan was approved. It processes the rows of the dry run. */
async function approvedBatch(
  { database, ...parts }: BatchParts & { database: Scope<Tables> },
  { account_id: accountId, id }: ProgramPlanRow,
  approver: Caller,
): Promise<ApprovedBatch | RunError> {
  const row = await plannedBy({ db: database.read, accountId }, id)
  if (!row) return planUnavailableError('The rows that the plan was made with are no longer kept.')
  return new ApprovedBatch(parts, row, approver)
}

/**
 * Converts a failure of a plan's program to `plan_outdated`: the program succeeded in the dry run, so the shop must have changed
 * since then.
 */
function asOutdated({ body, isError }: ToolAnswer): ToolAnswer {
  const error = body.error as { [key: string]: Json }
  if (!FAILURES_OF_PROGRAMS.includes(String(error.type))) return { body, isError }
  const { message, hint } = planOutdatedError(String(error.message))
  return { body: { ...body, error: { ...error, type: 'plan_outdated', message, hint } }, isError }
}

const FAILURES_OF_PROGRAMS = ['refused', 'refusal_overlooked', 'ruby_error', 'invalid_result']

const MAY_NOT_APPLY =
  'This API token cannot apply plans. A person can, in the dashboard under Plans, or with npm run plans -- apply.'
