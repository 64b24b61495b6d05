import type { Actor, Limit, Rights, SessionCaller, TokenCaller, TokenRight } from '../contract/declarations/caller.ts'
import { approvedRights, leastRights } from '../contract/declarations/rights.ts'
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
  const { role, right } = approvers.length > 0 ? approvedRights(all) : leastRights(all)
  // Whoever only proposes bounds what an approved program may show, too.
  const bounding = all.filter((one, index) => index > 0 || (approvers.length > 0 && one.right !== 'write'))
  const others = bounding.map((one): Limit => ({ userId: one.userId, tokenId: one.tokenId, right: one.right }))
  const person = { accountId, userId, role, right, limits: others }
  return tokenId === null ? { kind: 'session', sessionId: 'task', ...person } : { kind: 'token', tokenId, ...person }
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
    const right = member && (tokenId === null ? 'write' : await tokenRight(database, member, tokenId))
    if (!member || !right) return null
    found.push({ userId, tokenId, role: member.role, right })
  }
  return found
}

/** The token is an API token, or the connection of a client. */
async function tokenRight(
  { read }: Scope<Tables>,
  { accountId, userId }: Member,
  id: string,
): Promise<TokenRight | null> {
  const token = read.selectFrom('api_tokens').select('right_name as right').where('account_id', '=', accountId)
  const found = await token.where('id', '=', id).where('user_id', '=', userId).executeTakeFirst()
  if (found) return found.right
  const connection = read.selectFrom('connections').select('right').where('account_id', '=', accountId)
  const own = connection.where('id', '=', id).where('user_id', '=', userId).where('status', '=', 'active')
  return (await own.executeTakeFirst())?.right ?? null
}
