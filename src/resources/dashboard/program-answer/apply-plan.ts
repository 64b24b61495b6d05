import { isUser } from '../../../contract/declarations/caller.ts'
import { ApiError, missingResource } from '../../../contract/declarations/errors.ts'
import type { AnswerOf } from '../../../contract/declarations/noun.ts'
import type { OutsideContext } from '../../../records/context.ts'
import { findRow } from '../../../records/records.ts'
import { ProgramPlan } from '../program-plan/program-plan.ts'
import type { ProgramAnswer } from './program-answer.ts'

interface ApplyCall {
  path: { id: string }
  input: { note?: string | null }
}

/** Applies a plan exactly as reviewed, or not at all. The program has only the rights that both its author and the approver have. */
export async function applyPlan(
  context: OutsideContext,
  { path, input }: ApplyCall,
): Promise<AnswerOf<typeof ProgramAnswer>> {
  const { caller, services } = context
  if (!isUser(caller) || caller.kind !== 'session')
    throw new ApiError('permission_denied', 'Only a person can apply plans.')
  const plan = await findRow(context, ProgramPlan, path.id)
  if (!plan) throw missingResource(ProgramPlan.name)
  const decider = { userId: caller.userId, note: input.note ?? null }
  const { body, isError } = await services.programs.execute(caller, `# apply: ${plan.id}`, { decider })
  return { failed: isError, answer: body }
}
