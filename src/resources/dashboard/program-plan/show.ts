import { isUser } from '../../../contract/declarations/caller.ts'
import { consequencesInWords } from '../../../contract/declarations/consequence.ts'
import { ApiError } from '../../../contract/declarations/errors.ts'
import { rowsOfPlans } from '../../../records/background/keep.ts'
import type { Context } from '../../../records/context.ts'
import { notePlanDecision } from '../../../records/plan-decision.ts'
import { mayApply, seesPlan } from '../../../records/program-sight.ts'
import { changeRow } from '../../../records/records.ts'
import { membersOf } from '../../company/user/members.ts'
import { callerNames } from '../callers.ts'
import { type PlanCounts, ProgramPlan, type ProgramPlanRow } from './program-plan.ts'

export async function showPlans(rows: ProgramPlanRow[], context: Context) {
  const [names, members] = [await callerNames(context, rows), await membersOf(context)]
  const open = rows.filter(({ state }) => state === 'open').map(({ id }) => id)
  const inBackground = await rowsOfPlans(context, open)
  return rows.map((plan, index) => ({
    ...names[index],
    state: stateOf(plan, context.realNow),
    counts: countsOf(plan.shown),
    after_commit: consequencesInWords(JSON.parse(plan.consequences ?? '[]')),
    background_rows: inBackground.get(plan.id) ?? null,
    decided_by_name: members.get(plan.decided_by ?? '')?.name ?? null,
    may_apply: mayApply(context.caller, plan),
    ...(seesPlan(context.caller, plan) ? { withheld: false } : WITHHELD),
  }))
}

/** Replaces the private fields for callers who may not read the program. */
const WITHHELD = { withheld: true, code: '', counts: {}, after_commit: null, background_rows: null, note: null }

const NOT_SEEN =
  'Only whoever made the plan, people who may apply it, owners and admins see what it changes and decide on it.'

export function requireSeen({ caller }: Pick<Context, 'caller'>, plan: ProgramPlanRow): void {
  if (!seesPlan(caller, plan)) throw new ApiError('permission_denied', NOT_SEEN)
}

/** Returns the state that responses show. An expired plan without a decision is stored as `open`. */
function stateOf(
  { state, expires_at }: Pick<ProgramPlanRow, 'state' | 'expires_at'>,
  now: string,
): ProgramPlanRow['state'] {
  return state === 'open' && expires_at <= now ? 'expired' : state
}

/** Counts resources by event type. `shown` is the JSON of the plan's changes. */
export function countsOf(shown: string): PlanCounts {
  const changes = Object.entries(JSON.parse(shown) as Record<string, { count?: number }>)
  return Object.fromEntries(changes.flatMap(([type, { count }]) => (count === undefined ? [] : [[type, count]])))
}

/** Rejects a plan. The agent sees the note when it reads the plan again. */
export async function rejectPlan(
  context: Context,
  plan: ProgramPlanRow,
  { note = null }: { note?: string | null },
): Promise<ProgramPlanRow> {
  requireSeen(context, plan)
  refuseClosed(plan, stateOf(plan, context.realNow))
  const decided_by = isUser(context.caller) ? context.caller.userId : null
  const closed = { state: 'rejected' as const, decided_at: context.realNow, decided_by, note }
  const rejected = await changeRow(context, ProgramPlan, plan, closed)
  await notePlanDecision(context, { plan: plan.id, state: 'rejected', output: null })
  return rejected
}

export function refuseClosed({ decided_at, expires_at }: ProgramPlanRow, state: string): void {
  if (state === 'open') return
  throw new ApiError(
    'invalid_state',
    state === 'expired' ? `The plan expired at ${expires_at}.` : `The plan was ${state} at ${decided_at}.`,
  )
}
