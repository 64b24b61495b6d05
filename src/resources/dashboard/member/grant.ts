import { type Caller, isUser, type Role, type UserCaller } from '../../../contract/declarations/caller.ts'
import { ApiError } from '../../../contract/declarations/errors.ts'
import { commonRoles, cover, rolesOf } from '../../../contract/declarations/role-rights.ts'
import { listed } from '../../../words/lists.ts'

/** The caller who acts for a person. Throws `permission_denied` for any other. */
export function personOf(caller: Caller): UserCaller {
  if (isUser(caller)) return caller
  throw new ApiError('permission_denied', 'Only members can manage the account’s members.')
}

/** Nobody can grant, take away or change a role that does more than their own. Throws `permission_denied`. */
export function requireCover(caller: Caller, role: Role): void {
  const roles = rolesOf(personOf(caller))
  if (cover(roles, role)) return
  throw new ApiError(
    'permission_denied',
    `You cannot manage the role ${role}: it may do more than your own, ${listed(commonRoles(roles))}.`,
  )
}
