import { isUser, type UserCaller } from '../../../contract/declarations/caller.ts'
import { ApiError, missingResource } from '../../../contract/declarations/errors.ts'
import { mayDo, ROLE_RIGHTS, rolesNeeded, rolesWith } from '../../../contract/declarations/role-rights.ts'
import type { OutsideContext } from '../../../records/context.ts'
import { findRow } from '../../../records/records.ts'
import { listed } from '../../../words/lists.ts'
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
  return { failed: isError, answer: isError ? sayingWhoMay(body, caller) : body }
}

/** Where the approver's role does not include what the program does, says first whose does. */
function sayingWhoMay(body: Record<string, unknown>, caller: UserCaller): Record<string, unknown> {
  const error = body.error as { message: string }
  const needed = RIGHTS.find((right) => error.message.includes(`${rolesNeeded(right)};`))
  if (!needed || mayDo(caller, needed)) return body
  const message = `Someone with the role ${listed(rolesWith(needed), 'or')} must apply this plan: it does more than your role, ${caller.role}, allows. It is still open.`
  return { ...body, error: { ...error, message, hint: null } }
}

const RIGHTS = [...ROLE_RIGHTS.owner]
