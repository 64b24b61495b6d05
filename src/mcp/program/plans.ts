import { type Caller, callerId } from '../../contract/declarations/caller.ts'
import { ApiError, storageRefused } from '../../contract/declarations/errors.ts'
import type { RoleRight } from '../../contract/declarations/role-rights.ts'
import { timestampOf } from '../../contract/values/values.ts'
import { StorageError, type Transaction } from '../../database/database.ts'
import {
  closePlan,
  findPlan,
  MAX_PLAN_BYTES,
  type PlanDecider,
  type PlanLinks,
  type ProgramPlanRow,
  storePlan,
} from '../../pipeline/program-plans.ts'
import type { Storage } from '../../quota/room.ts'
import { seesPlan } from '../../records/program-sight.ts'
import { fullSentence } from '../../records/room.ts'
import type { Tables } from '../../resources/tables.ts'
import type { Json } from '../../sandbox/api.ts'
import { changesOf, RecordRefused } from './ending.ts'
import type { RunChanges } from './plan-comparison.ts'
import type { Run, RunParts } from './run.ts'
import { planUnavailableError, type RunError } from './run-error.ts'

interface PlanOptions extends PlanLinks {
  /** Called in the transaction that stores the plan. If it rejects, the plan is not stored. */
  confirm?: (unit: Transaction<Tables>, plan: ProgramPlanRow) => Promise<void>
  /** The rights that were needed to choose the rows of a background program. */
  alsoNeeds?: RoleRight[]
  /** Whether to store a plan even if the first batch changes nothing, because later batches may. */
  evenUnchanged?: boolean
}

/** Stores the plan of a dry run. Returns the plan's id, a warning if it could not be stored, or nothing if the run had no effects. */
export async function planOf(
  { database, storage }: Pick<RunParts, 'database'> & { storage: Storage },
  caller: Caller,
  code: string,
  run: Run,
  { confirm, alsoNeeds = [], evenUnchanged = false, ...links }: PlanOptions,
): Promise<{ [key: string]: Json }> {
  const { changes, startedAt } = changesOf(run)
  if (changes.length === 0 && run.consequences.length === 0 && !evenUnchanged) return {}
  const text = JSON.stringify(changes)
  const shown = JSON.stringify(run.body.changes ?? {})
  const consequences = JSON.stringify(run.consequences)
  const needs = JSON.stringify([...run.calls.needs, ...alsoNeeds])
  if ([code, text, shown].reduce((sum, part) => sum + Buffer.byteLength(part), 0) > MAX_PLAN_BYTES)
    return { warnings: [`The program changes too much for a plan; split it into parts.`] }
  if (!(await storage.hasRoom(caller.accountId, 'account')))
    return { warnings: [`${fullSentence(storage, 'account')} So there is no plan.`] }
  const plannedAt = timestampOf(new Date(startedAt))
  try {
    const made = { code, changes: text, shown, consequences, needs, plannedAt, ...links }
    const plan = await storePlan(database, caller, made, confirm)
    return plan === null ? {} : { plan }
  } catch (error) {
    if (error instanceof RecordRefused) return {}
    if (error instanceof ApiError) return { warnings: [`${error.message} So there is no plan.`] }
    if (!(error instanceof StorageError)) throw error
    return { warnings: [`${storageRefused(error.problem).message} So there is no plan.`] }
  }
}

/** Returns the plan if the caller can see it and it is open, or an error. */
export async function planToApply(
  { database }: Pick<RunParts, 'database'>,
  caller: Caller,
  id: string,
): Promise<ProgramPlanRow | RunError> {
  const plan = await findPlan(database, caller, id)
  const closed = plan && closedError(plan, timestampOf(new Date()))
  // An unauthorized caller gets the same error for a closed plan as for an unknown one, because the decision and its note are private.
  if (!plan || (closed && !seesPlan(caller, plan))) return unknownError(id)
  return closed ?? plan
}

export function closedError(plan: ProgramPlanRow, now: string): RunError | null {
  if (plan.state === 'replaced') return replacedError(plan)
  if (plan.state !== 'open') {
    const message = `The plan was ${plan.state} at ${plan.decided_at}.${withNote(plan)}`
    // Planning an applied plan again would repeat its changes, so the hint must not suggest it.
    return plan.state === 'applied' ? planUnavailableError(message, ALREADY_APPLIED) : planUnavailableError(message)
  }
  return plan.expires_at <= now ? planUnavailableError(`The plan expired at ${plan.expires_at}.`) : null
}

function replacedError({ decided_at, replaced_by }: ProgramPlanRow): RunError {
  const message = `The plan was made again at ${decided_at}: ${replaced_by} has taken its place.`
  return planUnavailableError(message, `Run "# apply: ${replaced_by}" instead.`)
}

const ALREADY_APPLIED = 'Its changes were made; nothing is left to do.'

function withNote({ note }: ProgramPlanRow): string {
  return note === null ? '' : ` The person who decided wrote: ${note}`
}

export function plannedBy({ changes, created_at, consequences }: ProgramPlanRow): RunChanges {
  const foreseen = consequences === null ? null : JSON.parse(consequences)
  return { changes: JSON.parse(changes), startedAt: Date.parse(created_at), consequences: foreseen }
}

/** Closes the plan in the transaction of its changes, so that it is applied only once. `output` is the program's printed output. */
export async function closeApplied(
  unit: Transaction<Tables>,
  plan: ProgramPlanRow,
  output: Json | undefined,
  decider?: PlanDecider,
): Promise<void> {
  const printed = typeof output === 'string' ? output : null
  if (!(await closePlan(unit, plan, { state: 'applied', output: printed }, decider)))
    throw new RecordRefused(planUnavailableError('The plan has been applied or rejected in the meantime.'))
}

/** Withdraws a plan for its maker: the token that made it, or the person who made it in the dashboard. */
export async function withdrawPlan(
  parts: Pick<RunParts, 'database'>,
  caller: Caller,
  id: string,
): Promise<RunError | null> {
  const plan = await planToApply(parts, caller, id)
  if ('message' in plan) return plan
  if (!isMaker(caller, plan)) return unknownError(id)
  if (await parts.database.transaction((unit) => closePlan(unit, plan, { state: 'withdrawn', output: null })))
    return null
  const now = await planToApply(parts, caller, id)
  return 'message' in now ? now : unknownError(id)
}

export function isMaker(
  caller: Caller,
  { caller_kind, caller_id, user_id }: Pick<ProgramPlanRow, 'caller_kind' | 'caller_id' | 'user_id'>,
): boolean {
  if (caller.kind === 'session') return caller_kind === 'session' && user_id === caller.userId
  return caller_id === callerId(caller)
}

/** Returns a plan, even an expired or outdated one, for a person to make again. Returns an error if it is unknown or decided. */
export async function planToMakeAgain(
  { database }: Pick<RunParts, 'database'>,
  caller: Caller,
  id: string,
): Promise<ProgramPlanRow | RunError> {
  const plan = await findPlan(database, caller, id)
  if (!plan || caller.kind !== 'session') return unknownError(id)
  return plan.state === 'open' ? plan : planUnavailableError(`The plan was ${plan.state} at ${plan.decided_at}.`, null)
}

function unknownError(id: string): RunError {
  return planUnavailableError(`No plan ${id.slice(0, 100)} belongs to this token.`)
}
