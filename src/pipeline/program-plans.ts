import { type Caller, callerId, isUser } from '../contract/declarations/caller.ts'
import { ApiError } from '../contract/declarations/errors.ts'
import { actorsOf, rightOf, withoutImplied } from '../contract/declarations/rights.ts'
import { newId } from '../contract/values/ids.ts'
import { HOUR_MS, timestampOf } from '../contract/values/values.ts'
import type { Scope, Transaction } from '../database/database.ts'
import { dropPlanned } from '../records/background/keep.ts'
import { holdAccess } from '../records/hold-access.ts'
import { announcePlan } from '../records/plan-announcement.ts'
import { notePlanDecision, type PlanDecision } from '../records/plan-decision.ts'
import type { Tables } from '../resources/tables.ts'

export type ProgramPlanRow = Tables['program_plans']

/** How long a plan is kept after it has expired, so that its decision can be read on the next day. */
export const PLANS_KEPT_MS = 24 * HOUR_MS
/** The maximum number of open plans of an account. Storing one more deletes another. */
const OPEN_PLANS = 100
const LISTED_PLANS = 100
/** The maximum size of a plan's program and changes together; larger plans are refused. */
export const MAX_PLAN_BYTES = 900_000

export interface PlanLinks {
  /** The plan that the new plan replaces. The new plan has the same owner, and the same people can decide on it. */
  replaces?: ProgramPlanRow | undefined
  awaited?: boolean | undefined
}

export interface NewPlan extends PlanLinks {
  code: string
  /** JSON of all changes in the form that is compared when the plan is applied. */
  changes: string
  /** JSON of the changes as the dry run showed them. */
  shown: string
  /** JSON of the external effects that follow the commit, by kind. */
  consequences: string
  /** JSON of the rights that the program's calls need. */
  needs: string
  /** The start of the dry run, in ISO 8601 with whole seconds. */
  plannedAt: string
}

/**
 * Stores a plan, which expires after the time that the account has set, and notifies the approvers if its caller may only
 * propose. Returns the plan's id, or null if the plan that it replaces was closed meanwhile. Throws a 403 if the caller's token
 * was revoked. Stores nothing in these two cases, or if `confirm` rejects.
 */
export async function storePlan(
  database: Scope<Tables>,
  caller: Caller,
  plan: NewPlan,
  confirm?: (unit: Transaction<Tables>, plan: ProgramPlanRow) => Promise<void>,
): Promise<string | null> {
  return database.transaction(async (unit) => {
    const { db } = unit
    const row = { ...rowOf(caller, plan), ...columnsOfReplaced(plan.replaces), expires_at: await expiryOf(db, caller) }
    if (plan.replaces && !(await replacePlan(unit, plan.replaces, row))) return null
    await confirm?.(unit, row)
    if (isUser(caller) && !(await holdAccess({ db, accountId: caller.accountId }, actorsOf(caller))))
      throw new ApiError('permission_denied', 'The token was revoked during the dry run.')
    await makeRoom(db, row)
    if (row.proposed && row.announced_at === null) await announcePlan({ db, accountId: caller.accountId })
    await db.insertInto('program_plans').values(row).execute()
    return row.id
  })
}

async function expiryOf(db: Transaction<Tables>['db'], { accountId }: Caller): Promise<string> {
  const accounts = db.selectFrom('accounts').where('account_id', '=', accountId).where('id', '=', accountId)
  const { plan_lifetime_hours } = await accounts.select('plan_lifetime_hours').executeTakeFirstOrThrow()
  return timestampOf(new Date(Date.now() + plan_lifetime_hours * HOUR_MS))
}

function columnsOfReplaced(old: ProgramPlanRow | undefined): Partial<ProgramPlanRow> {
  if (!old) return {}
  const { user_id, caller_kind, caller_id, planner_token, limits, proposed, announced_at, awaited } = old
  return { user_id, caller_kind, caller_id, planner_token, limits, proposed, announced_at, awaited, replaces: old.id }
}

/** Extends the lifetime of the replaced plan and its predecessors to that of the new plan, so that they can still be read. */
async function replacePlan(
  { db }: Transaction<Tables>,
  { account_id, id }: ProgramPlanRow,
  { id: replaced_by, expires_at }: ProgramPlanRow,
): Promise<boolean> {
  const plan = db.updateTable('program_plans').where('account_id', '=', account_id).where('id', '=', id)
  const replaced = { state: 'replaced' as const, replaced_by, expires_at, decided_at: timestampOf(new Date()) }
  const { numUpdatedRows } = await plan.where('state', '=', 'open').set(replaced).executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) return false
  const earlier = db.updateTable('program_plans').where('account_id', '=', account_id).where('replaced_by', '=', id)
  await earlier.set({ replaced_by, expires_at }).execute()
  await dropPlanned({ db, accountId: account_id }, id)
  return true
}

/** Deletes plans beyond the limit: expired ones, then the oldest of the caller with the most, to protect the plans of others. */
async function makeRoom(db: Transaction<Tables>['db'], { account_id }: ProgramPlanRow): Promise<void> {
  const ofAccount = db.selectFrom('program_plans').where('account_id', '=', account_id).where('state', '=', 'open')
  const open = await ofAccount.select(['id', 'caller_id', 'expires_at']).orderBy('id').execute()
  const beyond = open.length - OPEN_PLANS + 1
  if (beyond <= 0) return
  const now = timestampOf(new Date())
  const [most] = [...Map.groupBy(open, ({ caller_id }) => caller_id).values()].toSorted(
    (one, other) => other.length - one.length,
  )
  const ended = [...new Set([...open.filter(({ expires_at }) => expires_at <= now), ...most!, ...open])].slice(
    0,
    beyond,
  )
  const ids = ended.map(({ id }) => id)
  await db.deleteFrom('program_plans').where('account_id', '=', account_id).where('id', 'in', ids).execute()
  for (const id of ids) await dropPlanned({ db, accountId: account_id }, id)
}

function rowOf(
  caller: Caller,
  { code, changes, shown, consequences, needs, plannedAt, awaited }: NewPlan,
): Omit<ProgramPlanRow, 'expires_at'> {
  return {
    account_id: caller.accountId,
    id: newId('plan'),
    user_id: isUser(caller) ? caller.userId : '',
    caller_kind: caller.kind,
    caller_id: callerId(caller),
    planner_token: caller.kind === 'token' ? caller.tokenId : null,
    limits: JSON.stringify(isUser(caller) ? withoutImplied(caller.limits ?? []) : []),
    applier_id: null,
    task_run: caller.origin?.run ?? null,
    proposed: rightOf(caller) === 'propose' ? 1 : 0,
    code,
    changes,
    shown,
    consequences,
    state: 'open',
    created_at: plannedAt,
    decided_at: null,
    decided_by: null,
    note: null,
    announced_at: null,
    awaited: awaited ? 1 : 0,
    answer: null,
    answer_rights: null,
    needs,
    replaces: null,
    replaced_by: null,
  }
}

/** Finds a plan. A person sees all plans of the account; a token sees only those that it made or may apply. */
export async function findPlan(
  database: Scope<Tables>,
  caller: Caller,
  id: string,
): Promise<ProgramPlanRow | undefined> {
  const plans = database.read.selectFrom('program_plans').selectAll().where('account_id', '=', caller.accountId)
  const plan = await plans.where('id', '=', id).executeTakeFirst()
  const own = plan?.caller_id === callerId(caller) || plan?.applier_id === callerId(caller)
  return caller.kind === 'session' || own ? plan : undefined
}

export interface PlanDecider {
  userId: string
  note: string | null
}

/** Closes a plan in the transaction of its changes, and wakes a task run that waits for it. Returns false if it was already closed. */
export async function closePlan(
  { db }: Pick<Transaction<Tables>, 'db'>,
  { account_id, id }: Pick<ProgramPlanRow, 'account_id' | 'id'>,
  { state, output }: Pick<PlanDecision, 'state' | 'output'>,
  decider: PlanDecider | null = null,
): Promise<boolean> {
  const plan = db.updateTable('program_plans').where('account_id', '=', account_id).where('id', '=', id)
  const who = decider && { decided_by: decider.userId, note: decider.note }
  const closed = { state, decided_at: timestampOf(new Date()), ...who }
  const { numUpdatedRows } = await plan.where('state', '=', 'open').set(closed).executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) return false
  await notePlanDecision({ db, accountId: account_id }, { plan: id, state, output })
  return true
}

/** A list of plans omits the program and the full changes, because they can be a megabyte. */
const LISTED = ['id', 'state', 'created_at', 'expires_at', 'shown'] as const
export type ListedPlan = Pick<ProgramPlanRow, (typeof LISTED)[number]>

/** Returns the newest plans of all accounts, for the operator of the service. */
export async function listPlans({ read }: Pick<Scope<Tables>, 'read'>): Promise<ListedPlan[]> {
  return read.selectFrom('program_plans').select(LISTED).orderBy('id', 'desc').limit(LISTED_PLANS).execute()
}

/** Returns a plan of any account, for the operator of the service. */
export async function planById({ read }: Pick<Scope<Tables>, 'read'>, id: string): Promise<ProgramPlanRow | undefined> {
  return read.selectFrom('program_plans').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Allows another token, which a person has created for this purpose, to apply a plan. */
export async function allowApplier(database: Scope<Tables>, plan: ProgramPlanRow, tokenId: string): Promise<void> {
  await database.transaction(({ db }) =>
    db
      .updateTable('program_plans')
      .set({ applier_id: tokenId })
      .where('account_id', '=', plan.account_id)
      .where('id', '=', plan.id)
      .execute(),
  )
}
