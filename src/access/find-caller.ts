import type {
  Actor,
  Limit,
  Rights,
  Role,
  SessionCaller,
  TokenCaller,
  TokenRight,
} from '../contract/declarations/caller.ts'
import { approvedRights, leastRights } from '../contract/declarations/rights.ts'
import { boundBy } from '../contract/declarations/role-rights.ts'
import type { Scope } from '../database/database.ts'
import { findMember, type Member } from '../resources/company/account/life/members.ts'
import type { Tables } from '../resources/tables.ts'

/** Whom something is done for while nobody is there. */
interface Absent extends Actor {
  accountId: string
  /** Others whose rights bound what is done. */
  limits: readonly Actor[]
  /** Those who have approved it: their rights bound it too, and what may only be proposed may be done. */
  approvers?: readonly Actor[] | undefined
}

/**
 * The rights that an absent caller has now: the least that all who are named have. Null when one of the tokens or connections
 * has ended, or one of the users has left the account.
 */
export async function findCaller(
  database: Scope<Tables>,
  { accountId, userId, tokenId, limits, approvers = [] }: Absent,
): Promise<TokenCaller | SessionCaller | null> {
  const all = await rightsOf(database, accountId, [{ userId, tokenId }, ...limits, ...approvers])
  if (!all) return null
  const { roles, right } = approvers.length > 0 ? approvedRights(all) : leastRights(all)
  // Whoever only proposes bounds what an approved program may show, too.
  const bounding = all.filter((one, index) => index > 0 || (approvers.length > 0 && one.right !== 'write'))
  const others = bounding.map(({ userId, tokenId, right, tokenRole }): Limit => ({ userId, tokenId, right, tokenRole }))
  const person = { accountId, userId, ...boundBy(roles), right, limits: others }
  if (tokenId === null) return { kind: 'session', sessionId: 'task', ...person }
  const tokenRole = all[0]?.tokenRole
  return { kind: 'token', tokenId, ...person, ...(tokenRole && { tokenRole }) }
}

/** What each may do now, in their order; null when one of them may do nothing any more. */
export async function rightsOf(
  database: Scope<Tables>,
  accountId: string,
  actors: readonly Actor[],
): Promise<(Limit & Rights)[] | null> {
  const found: (Limit & Rights)[] = []
  for (const { userId, tokenId } of actors) {
    const member = await findMember(database, { accountId, userId })
    const own = member && (tokenId === null ? UNLIMITED : await tokenRights(database, member, tokenId))
    if (!member || !own) return null
    const { right, role: tokenRole } = own
    found.push({ userId, tokenId, roles: tokenRole ? [member.role, tokenRole] : [member.role], right, tokenRole })
  }
  return found
}

/** What a token may do, of what its person may. */
interface TokenRights {
  right: TokenRight
  /** Null where it has all of the person's role. */
  role: Role | null
}

const UNLIMITED: TokenRights = { right: 'write', role: null }

/** The token is an API token, or the connection of a client. */
async function tokenRights(
  { read }: Scope<Tables>,
  { accountId, userId }: Member,
  id: string,
): Promise<TokenRights | null> {
  const token = read.selectFrom('api_tokens').select(['right_name as right', 'role_name as role'])
  const ofUser = token.where('account_id', '=', accountId).where('id', '=', id).where('user_id', '=', userId)
  const found = await ofUser.executeTakeFirst()
  if (found) return found
  const connection = read.selectFrom('connections').select('right').where('account_id', '=', accountId)
  const own = connection.where('id', '=', id).where('user_id', '=', userId).where('status', '=', 'active')
  const connected = await own.executeTakeFirst()
  return connected ? { right: connected.right, role: null } : null
}
