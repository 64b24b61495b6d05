import { type Caller, isUser, type UserCaller } from '../contract/declarations/caller.ts'
import { ApiError } from '../contract/declarations/errors.ts'
import type { Noun } from '../contract/declarations/noun.ts'
import type { OperationDeclaration } from '../contract/declarations/operation.ts'
import { rightOf } from '../contract/declarations/rights.ts'
import { include, type RoleRight, rolesNeeded, rolesOf } from '../contract/declarations/role-rights.ts'
import { listed } from '../format/lists.ts'
import type { OperationRequest } from './request.ts'

/**
 * Throws 403 `permission_denied` if the caller may not use the operation. `proposed` means a trial run, which is
 * rolled back and at most becomes part of a plan that a person approves; tokens that may only propose are allowed to do it.
 */
export function requirePermission(operation: OperationDeclaration, caller: Caller, proposed: boolean): void {
  if (!operation.callers.includes(caller.kind)) throw denied(`A ${caller.kind} may not call this operation.`)
  if (isUser(caller)) requireRoleRight(caller, operation.needs)
  if (operation.writes) requireRight(caller, proposed && !operation.outside)
}

/** Throws 403 `permission_denied` if one of the caller’s roles lacks the right. */
export function requireRoleRight(caller: UserCaller, needed: RoleRight): void {
  const lacking = rolesOf(caller).filter((role) => !include([role], needed))
  if (lacking.length > 0) throw denied(`${rolesNeeded(needed)}; ${whoseRole(caller)} ${listed(lacking)}.`)
}

function whoseRole(caller: UserCaller): string {
  if ((caller.limits ?? []).length > 0) return 'of those who wrote, changed or approved this, somebody is'
  if (caller.kind !== 'token') return 'yours is'
  return caller.tokenRole ? 'the token is limited to' : 'the token’s user is'
}

function requireRight(caller: Caller, proposed: boolean): void {
  const right = rightOf(caller)
  if (right === 'write') return
  if (right === 'read') throw denied('This API token is read-only.')
  if (!proposed)
    throw denied(
      'This API token can only propose changes: run them in a code_execute program, which makes a plan for a person to apply.',
    )
}

function denied(message: string): ApiError {
  return new ApiError('permission_denied', message)
}

/**
 * Refuses external effects in a transaction that might be rolled back, because they cannot be undone: in a dry run, after a program has
 * written, and in a batch, which may be rolled back and retried long after it ran.
 */
export function requireMayReachOutside({ scope, program }: Pick<OperationRequest, 'scope' | 'program'>): void {
  if (program?.batch) {
    throw new ApiError(
      'invalid_state',
      'This operation has external effects, and a batch can be undone and repeated. Call it in a program without `# background: true`.',
    )
  }
  if (program?.proposed) {
    throw new ApiError(
      'invalid_state',
      'This operation has external effects, which a dry run cannot undo. Call it in an earlier program and use its result in this one.',
    )
  }
  if (scope?.holdsWrites) {
    throw new ApiError(
      'invalid_state',
      "This operation has external effects and cannot be undone. Call it before the program's first write, or use `# atomic: false`.",
    )
  }
}

/** Returns a function that says whether a caller may use an operation that shows rows of a given noun. */
export function readersOf(operations: readonly OperationDeclaration[]): (caller: Caller, noun: Noun) => boolean {
  const shows = operations.filter(({ kind }) => kind === 'list' || kind === 'retrieve')
  const byNoun = Map.groupBy(shows, ({ noun }) => noun.name)
  return (caller, { name }) => (byNoun.get(name) ?? []).some((operation) => isPermitted(operation, caller))
}

function isPermitted(operation: OperationDeclaration, caller: Caller): boolean {
  try {
    requirePermission(operation, caller, false)
    return true
  } catch {
    return false
  }
}
