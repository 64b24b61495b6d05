import { isUser } from '../../../contract/declarations/caller.ts'
import { ApiError, missingResource } from '../../../contract/declarations/errors.ts'
import type { AnswerOf } from '../../../contract/declarations/noun.ts'
import type { OutsideContext } from '../../../records/context.ts'
import { findRow } from '../../../records/records.ts'
import { ProgramPlan } from '../program-plan/program-plan.ts'
import { refuseClosed, requireSeen } from '../program-plan/show.ts'
import type { ProgramAnswer } from './program-answer.ts'

const OF_A_RUN =
  'A task run waits for this plan. Approve the run: it makes a new plan where this one cannot be applied.'
const NO_CHANGE = 'The program would change nothing now, so there is no new plan.'

/** Runs the program of an expired or outdated plan again, which makes a new plan. */
export async function makePlanAgain(
  context: OutsideContext,
  { path }: { path: { id: string } },
): Promise<AnswerOf<typeof ProgramAnswer>> {
  const { caller, services } = context
  if (!isUser(caller) || caller.kind !== 'session')
    throw new ApiError('permission_denied', 'Only a person can make plans again.')
  const plan = await findRow(context, ProgramPlan, path.id)
  if (!plan) throw missingResource(ProgramPlan.name)
  if (plan.task_run !== null) throw new ApiError('invalid_state', OF_A_RUN)
  requireSeen(context, plan)
  refuseClosed(plan, plan.state)
  const { body, isError } = await services.programs.planAgain(caller, plan.id)
  if (isError || body.plan !== undefined) return { failed: isError, answer: body }
  const now = await findRow(context, ProgramPlan, plan.id)
  // A concurrent request has already replaced the plan.
  if (now?.replaced_by) return { failed: false, answer: { ...body, plan: now.replaced_by } }
  const [why] = Array.isArray(body.warnings) ? body.warnings : []
  const message = typeof why === 'string' ? why : NO_CHANGE
  const error = { type: 'plan_unavailable', message, line: null, source: null, hint: null }
  return { failed: true, answer: { error, committed: 'none' } }
}
