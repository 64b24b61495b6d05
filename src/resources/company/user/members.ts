import type { Actor, Limit, Rights, Role, TokenRight } from '../../../contract/declarations/caller.ts'
import type { InAccount } from '../../../records/context.ts'
import { rowsOf } from '../../../records/rows-of.ts'

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

/** Returns the current rights of each actor in the given order, or null when one of them has lost access. */
export async function rightsOf(context: InAccount, actors: readonly Actor[]): Promise<(Limit & Rights)[] | null> {
  const found: (Limit & Rights)[] = []
  for (const { userId, tokenId } of actors) {
    const members = rowsOf(context, 'memberships').select('role').where('user_id', '=', userId)
    const member = await members.executeTakeFirst()
    const own = tokenId === null ? UNLIMITED : await tokenRights(context, userId, tokenId)
    if (!member || !own) return null
    const { right, role: tokenRole, caps } = own
    found.push({
      userId,
      tokenId,
      roles: tokenRole ? [member.role, tokenRole] : [member.role],
      right,
      tokenRole,
      isCapped: caps !== null,
    })
  }
  return found
}

/** The rights of a token, which never exceed those of its user. */
interface TokenRights {
  right: TokenRight
  /** Null for a token with the full role of its user. */
  role: Role | null
  /** JSON of its daily caps; null if it has none. */
  caps: string | null
}

const UNLIMITED: TokenRights = { right: 'write', role: null, caps: null }

async function tokenRights(context: InAccount, userId: string, id: string): Promise<TokenRights | null> {
  const token = rowsOf(context, 'api_tokens').select(['right_name as right', 'role_name as role', 'caps'])
  const found = await token.where('id', '=', id).where('user_id', '=', userId).executeTakeFirst()
  if (found) return found
  const connection = rowsOf(context, 'connections').select('right').where('id', '=', id).where('user_id', '=', userId)
  const connected = await connection.where('status', '=', 'active').executeTakeFirst()
  return connected ? { right: connected.right, role: null, caps: null } : null
}
