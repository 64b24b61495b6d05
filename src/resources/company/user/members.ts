import type { Role } from '../../../contract/declarations/caller.ts'
import type { Context } from '../../../records/context.ts'
import { rowsOf } from '../../../records/rows-of.ts'

type InAccount = Pick<Context, 'db' | 'accountId'>

export interface Member {
  id: string
  name: string
  email: string
  role: Role
}

/** Returns the members of the account by user id. Former members are absent. */
export async function membersOf(context: InAccount): Promise<Map<string, Member>> {
  const people = await rowsOf(context, 'memberships')
    .innerJoin('users', 'users.id', 'memberships.user_id')
    .select(['users.id', 'users.name', 'users.email', 'memberships.role'])
    .orderBy('users.id')
    .execute()
  return new Map(people.map((person) => [person.id, person as Member]))
}
