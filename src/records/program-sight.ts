import { type Caller, callerId, ROLES, type Role } from '../contract/declarations/caller.ts'
import { boundingRights, coverRights } from '../contract/declarations/rights.ts'
import { include, mayDo, type RoleRight } from '../contract/declarations/role-rights.ts'

interface ProgramRow {
  caller_id: string
  user_id: string
}

interface PlanRow extends ProgramRow {
  applier_id: string | null
  state: string
  decided_by: string | null
  needs: string | null
}

/** Returns whether a caller may stop a program and read all about it: owners and admins every program, others only their own. */
export function seesProgram(caller: Caller, { caller_id, user_id }: ProgramRow): boolean {
  if (caller.kind !== 'session') return caller_id === callerId(caller)
  return user_id === caller.userId || mayDo(caller, 'programs.read_any')
}

/**
 * Returns whether a caller may read the return values of a background program's blocks. This needs the rights that the program
 * had when it began, which even its author may have lost since.
 */
export function seesValues(caller: Caller, { rights }: { rights: string | null }): boolean {
  if (rights === null || mayDo(caller, 'programs.read_any')) return true
  return coverRights(boundingRights(caller), JSON.parse(rights))
}

/**
 * Returns whether a caller may read the changes of a plan. Besides those who see its program, these are the people who may apply
 * it or have decided on it.
 */
export function seesPlan(caller: Caller, plan: PlanRow): boolean {
  if (seesProgram(caller, plan)) return true
  if (caller.kind !== 'session') return plan.applier_id === callerId(caller)
  return plan.decided_by === caller.userId || (plan.state === 'open' && mayApply(caller, plan))
}

/**
 * Returns whether a caller may apply a plan. Older plans did not store the rights that they need, so everyone who sees their
 * program may apply them.
 */
export function mayApply(caller: Caller, plan: PlanRow): boolean {
  const needs = needsOf(plan)
  return needs === null ? seesProgram(caller, plan) : needs.every((right) => mayDo(caller, right))
}

export function rolesThatApply(plan: Pick<PlanRow, 'needs'>): Role[] {
  const needs = needsOf(plan) ?? ['programs.read_any']
  return ROLES.filter((role) => needs.every((right) => include([role], right)))
}

function needsOf({ needs }: Pick<PlanRow, 'needs'>): RoleRight[] | null {
  return needs === null ? null : ['programs.write', ...JSON.parse(needs)]
}
