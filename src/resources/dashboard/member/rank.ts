import { type Caller, isAtLeast, isUser, type Role } from '../../../contract/declarations/caller.ts'
import { ApiError } from '../../../contract/declarations/errors.ts'

/** The role and the user of a caller who acts for a person. Throws `permission_denied` for any other. */
export function personOf(caller: Caller): { role: Role; userId: string } {
  if (isUser(caller)) return caller
  throw new ApiError('permission_denied', 'Only members can manage the account’s members.')
}

/** Nobody can grant, take away or change a role above their own. Throws `permission_denied`. */
export function requireRank(caller: Caller, role: Role): void {
  if (!isAtLeast(personOf(caller).role, role))
    throw new ApiError(
      'permission_denied',
      `You cannot manage the role ${role}: it is above your own, ${personOf(caller).role}.`,
    )
}
