import type { SessionCaller, TokenCaller, TokenRight } from '../contract/caller.ts'
import type { Scope } from '../database/database.ts'
import type { Tables } from '../resources/tables.ts'
import { findMember, type Member } from './accounts.ts'

/** Whom something is done for while nobody is there. */
interface Absent {
  accountId: string
  userId: string
  /** Null for a person's own rights. */
  tokenId: string | null
}

/** The rights that an absent caller has now; null when the token or connection has ended or the user has left the account. */
export async function findCaller(database: Scope<Tables>, absent: Absent): Promise<TokenCaller | SessionCaller | null> {
  const member = await findMember(database, absent)
  if (!member) return null
  const { accountId, userId, role } = member
  const person = { accountId, userId, role }
  if (absent.tokenId === null) return { kind: 'session', sessionId: 'task', ...person }
  const right = await rightOf(database, member, absent.tokenId)
  return right && { kind: 'token', tokenId: absent.tokenId, right, ...person }
}

/** The token is an API token, or the connection of a client. */
async function rightOf({ read }: Scope<Tables>, { accountId, userId }: Member, id: string): Promise<TokenRight | null> {
  const token = read.selectFrom('api_tokens').select('right_name as right').where('account_id', '=', accountId)
  const found = await token.where('id', '=', id).where('user_id', '=', userId).executeTakeFirst()
  if (found) return found.right as TokenRight
  const connection = read.selectFrom('connections').select('right').where('account_id', '=', accountId)
  const own = connection.where('id', '=', id).where('user_id', '=', userId).where('status', '=', 'active')
  return ((await own.executeTakeFirst())?.right as TokenRight | undefined) ?? null
}
