import { type Caller, isUser, type Role, type UserCaller } from '../../../contract/declarations/caller.ts'
import { ApiError, missingResource } from '../../../contract/declarations/errors.ts'
import { commonRoles, cover, rolesOf } from '../../../contract/declarations/role-rights.ts'
import { listed } from '../../../format/lists.ts'
import type { Context } from '../../../records/context.ts'
import { dashboardRead, type ValueOf } from '../../../records/dashboard-read.ts'
import { usersOfAccount } from '../../company/user/current.ts'

export type ShownMember = ValueOf<typeof accountMembers>[number]

/** Lists the members of the account in the order they joined. */
export const accountMembers = dashboardRead('account.read', membersOf)

export async function membersOf(context: Context) {
  const { userId } = personOf(context.caller)
  const users = await usersOfAccount(context)
  return users.map((user) => ({ ...user, email_verified: user.email_verified === 1, self: user.id === userId }))
}

/** Throws a 404 when the user is not a member of the account. */
export async function requireMember(context: Context, userId: string): Promise<ShownMember> {
  const found = (await membersOf(context)).find(({ id }) => id === userId)
  if (!found) throw missingResource('member')
  return found
}

/** Throws `permission_denied` unless the caller is a person. */
export function personOf(caller: Caller): UserCaller {
  if (isUser(caller)) return caller
  throw new ApiError('permission_denied', 'Only members can manage the account’s members.')
}

/** Throws `permission_denied` if the role has rights that the caller lacks. */
export function requireCover(caller: Caller, role: Role): void {
  const roles = rolesOf(personOf(caller))
  if (cover(roles, role)) return
  throw new ApiError(
    'permission_denied',
    `You cannot manage the role ${role}: it may do more than your own, ${listed(commonRoles(roles))}.`,
  )
}
