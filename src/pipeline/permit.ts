import { type Caller, isAtLeast, isUser, type Role, roleNeeded, type UserCaller } from '../contract/caller.ts'
import { ApiError } from '../contract/errors.ts'
import type { OperationDeclaration } from '../contract/operation.ts'
import { rightOf } from '../contract/rights.ts'

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
  if (!isUser(caller)) throw denied(`This needs a user with the role ${role} or a higher one.`)
  if (isAtLeast(caller.role, role)) return
  throw denied(`${roleNeeded(role)}; ${whose(caller)} ${caller.role}.`)
}

function whose({ kind, limits = [] }: UserCaller): string {
  if (limits.length > 0) return 'the least among those who wrote, changed or approved this is'
  return kind === 'token' ? 'the token’s user is' : 'yours is'
}

function requireRight(caller: Caller, proposed: boolean): void {
  const right = rightOf(caller)
  if (right === 'write') return
  if (right === 'read') throw denied('This API token may only read.')
  if (!proposed)
    throw denied(
      'This API token may only propose changes: a code_execute program shows them as a plan, which a person applies.',
    )
}

function denied(message: string): ApiError {
  return new ApiError('permission_denied', message)
}
