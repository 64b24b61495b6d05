import {
  type Caller,
  isAtLeast,
  isUser,
  type Role,
  roleNeeded,
  type UserCaller,
} from '../contract/declarations/caller.ts'
import { ApiError } from '../contract/declarations/errors.ts'
import type { Noun } from '../contract/declarations/noun.ts'
import type { OperationDeclaration } from '../contract/declarations/operation.ts'
import { rightOf } from '../contract/declarations/rights.ts'

/**
 * Refuses an operation that its caller may not use: 403 `permission_denied`. `proposed` is a change that is undone in any
 * case, which a proposing token may make to show its plan.
 */
export function requirePermission(operation: OperationDeclaration, caller: Caller, proposed: boolean): void {
  if (!operation.callers.includes(caller.kind)) throw denied(`A ${caller.kind} may not call this operation.`)
  if (operation.role !== null) requireRole(operation.role, caller)
  if (operation.writes) requireRight(caller, proposed && !operation.outside)
}

function requireRole(role: Role, caller: Caller): void {
  if (!isUser(caller))
    throw denied(`This requires a user with the role ${role}${role === 'owner' ? '' : ' or higher'}.`)
  if (isAtLeast(caller.role, role)) return
  throw denied(`${roleNeeded(role)}; ${whose(caller)} ${caller.role}.`)
}

function whose({ kind, limits = [] }: UserCaller): string {
  if (limits.length > 0) return 'the lowest role of those who wrote, changed or approved this is'
  return kind === 'token' ? 'the token’s user is' : 'yours is'
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

/** Says of a caller and a resource whether one of the operations that show its rows is permitted. */
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
