import {
  type Actor,
  type Caller,
  isUser,
  type Limit,
  type Rights,
  type UserCaller,
} from '../../contract/declarations/caller.ts'
import { approvedRights, cappedBy, withoutImplied } from '../../contract/declarations/rights.ts'
import { boundBy, rolesOf } from '../../contract/declarations/role-rights.ts'
import type { ProgramPlanRow } from '../../pipeline/program-plans.ts'
import { permissionError, planUnavailableError, type RunError } from './run-error.ts'

export interface ApprovalParts {
  /** Returns the current rights of each person or token in `actors`, in the same order; null if one of them has lost access. */
  rightsOf(accountId: string, actors: readonly Actor[]): Promise<(Limit & Rights)[] | null>
}

/** Returns the caller that applies a plan: its planner, limited to the current rights of everyone who planned or approves it. */
export async function actingFor(
  { rightsOf }: ApprovalParts,
  caller: Caller,
  plan: ProgramPlanRow,
): Promise<UserCaller | RunError> {
  if (!isUser(caller)) return permissionError('Only people and their API tokens can apply plans.')
  const planner = { userId: plan.user_id, tokenId: plan.planner_token }
  const approver = { userId: caller.userId, tokenId: caller.kind === 'token' ? caller.tokenId : null }
  const others: Actor[] = JSON.parse(plan.limits)
  const bounding = [planner, ...others, ...(caller.limits ?? [])]
  const all = await rightsOf(plan.account_id, withoutImplied([...bounding, approver]))
  if (!all) return planUnavailableError(PLANNER_GONE)
  const { roles, right } = approvedRights([...all, { roles: rolesOf(caller), right: 'write' }])
  if (right !== 'write') return permissionError('A read-only token took part in this plan, so it cannot be applied.')
  const own = caller.kind === 'token' ? caller : { ...caller, userId: plan.user_id }
  const tokenId = caller.kind === 'token' ? caller.tokenId : null
  const limits = all.filter((one) => one.userId !== own.userId || one.tokenId !== tokenId)
  return { ...own, ...boundBy(roles), right, limits, ...cappedBy(all, caller) }
}

const PLANNER_GONE = 'The plan’s maker has lost access: the API token was deleted, or its user has left the account.'
