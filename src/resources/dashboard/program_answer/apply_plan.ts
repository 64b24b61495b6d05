import { isUser } from '../../../contract/declarations/caller.ts'
import { ApiError, missingResource } from '../../../contract/declarations/errors.ts'
import type { OutsideContext } from '../../../records/context.ts'
import { findRow } from '../../../records/records.ts'
import { ProgramPlan } from '../program_plan/program_plan.ts'

interface ApplyCall {
  path: { id: string }
  input: { note?: string | null }
}

/**
 * Carries out a plan, exactly as it was looked at or not at all. It runs with the rights of whoever planned it, as far as the
 * approver has them too: nobody does by approving what this person could not do.
 */
export async function applyPlan(context: OutsideContext, { path, input }: ApplyCall): Promise<object> {
  const { caller, services } = context
  if (!isUser(caller) || caller.kind !== 'session')
    throw new ApiError('permission_denied', 'Only a person can apply plans.')
  const plan = await findRow(context, ProgramPlan, path.id)
  if (!plan) throw missingResource(ProgramPlan.name)
  const decider = { userId: caller.userId, note: input.note ?? null }
  const { body, isError } = await services.programs.execute(caller, `# apply: ${plan.id}`, { decider })
  return { failed: isError, answer: body }
}
