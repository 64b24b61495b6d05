import { isUser } from '../../../contract/declarations/caller.ts'
import { ApiError } from '../../../contract/declarations/errors.ts'
import type { Context } from '../../../records/context.ts'
import { notePlanDecision } from '../../../records/plan-decision.ts'
import { changeRow } from '../../../records/records.ts'
import { ProgramPlan, type ProgramPlanRow } from './program_plan.ts'
import { requireSeen, stateOf } from './show.ts'

/** Closes a plan without its effects. Its agent reads the note when it asks for the plan again. */
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

/** Throws `invalid_state`. */
export function refuseClosed({ decided_at, expires_at }: ProgramPlanRow, state: string): void {
  if (state === 'open') return
  throw new ApiError(
    'invalid_state',
    state === 'expired' ? `The plan expired at ${expires_at}.` : `The plan was ${state} at ${decided_at}.`,
  )
}
