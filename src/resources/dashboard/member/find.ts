import type { Role } from '../../../contract/declarations/caller.ts'
import { missingResource } from '../../../contract/declarations/errors.ts'
import type { Context } from '../../../records/context.ts'
import { usersOfAccount } from '../../company/user/current.ts'
import { personOf } from './grant.ts'

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
