import { type Caller, isUser, type Role, type UserCaller } from '../../../contract/declarations/caller.ts'
import { ApiError, missingResource } from '../../../contract/declarations/errors.ts'
import type { AnswerOf } from '../../../contract/declarations/noun.ts'
import { commonRoles, cover, rolesOf } from '../../../contract/declarations/role-rights.ts'
import { listed } from '../../../format/lists.ts'
import type { Context } from '../../../records/context.ts'
import { usersOfAccount } from '../../company/user/current.ts'
import type { Member } from './member.ts'

export type ShownMember = AnswerOf<typeof Member>

/** Returns the members of the account in the order in which they joined. */
export async function membersOf(context: Context): Promise<ShownMember[]> {
  const { userId } = personOf(context.caller)
  const users = await usersOfAccount(context)
  return users.map((user) => ({ ...user, email_verified: user.email_verified === 1, self: user.id === userId }))
}

/** Returns a member of the account. Throws a 404 for anybody else. */
export async function requireMember(context: Context, userId: string): Promise<ShownMember> {
  const found = (await membersOf(context)).find(({ id }) => id === userId)
  if (!found) throw missingResource('member')
  return found
}

/** Returns the caller if it is a person. Throws `permission_denied` for all other callers. */
export function personOf(caller: Caller): UserCaller {
  if (isUser(caller)) return caller
  throw new ApiError('permission_denied', 'Only members can manage the account’s members.')
}

/** Throws `permission_denied` for a role with rights that the caller does not have. */
export function requireCover(caller: Caller, role: Role): void {
  const roles = rolesOf(personOf(caller))
  if (cover(roles, role)) return
  throw new ApiError(
    'permission_denied',
    `You cannot manage the role ${role}: it may do more than your own, ${listed(commonRoles(roles))}.`,
  )
}
