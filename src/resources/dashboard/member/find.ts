import { type Caller, isUser, type Role, type UserCaller } from '../../../contract/declarations/caller.ts'
import { ApiError, missingResource } from '../../../contract/declarations/errors.ts'
import { commonRoles, cover, rolesOf } from '../../../contract/declarations/role-rights.ts'
import type { Context } from '../../../records/context.ts'
import { listed } from '../../../words/lists.ts'
import { usersOfAccount } from '../../company/user/current.ts'

export interface ShownMember {
  id: string
  name: string
  email: string
  /** Whether the address is proven. */
  email_verified: boolean
  role: Role
  self: boolean
  joined_at: string
}

/** The people of the account, in the order in which they joined. */
export async function membersOf(context: Context): Promise<ShownMember[]> {
  const { userId } = personOf(context.caller)
  const users = await usersOfAccount(context)
  return users.map((user) => ({ ...user, email_verified: user.email_verified === 1, self: user.id === userId }))
}

/** One of them. Throws a 404 for anybody else. */
export async function requireMember(context: Context, userId: string): Promise<ShownMember> {
  const found = (await membersOf(context)).find(({ id }) => id === userId)
  if (!found) throw missingResource('member')
  return found
}

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
