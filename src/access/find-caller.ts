import type { Actor, Limit, SessionCaller, TokenCaller } from '../contract/declarations/caller.ts'
import { approvedRights, cappedBy, leastRights } from '../contract/declarations/rights.ts'
import { boundBy } from '../contract/declarations/role-rights.ts'
import type { Scope } from '../database/database.ts'
import { rightsOf } from '../resources/company/user/rights-of.ts'
import type { Tables } from '../resources/tables.ts'

interface AbsentCaller extends Actor {
  accountId: string
  limits: readonly Actor[]
  /** The people who approved the program. Their approval allows the program to write, but only within the rights of these people. */
  approvers?: readonly Actor[] | undefined
}

/** Returns a caller with the rights that all actors have in common; null if a token or connection was revoked or a user has left. */
export async function findCaller(
  { read: db }: Scope<Tables>,
  { accountId, userId, tokenId, limits, approvers = [] }: AbsentCaller,
): Promise<TokenCaller | SessionCaller | null> {
  const all = await rightsOf({ db, accountId }, [{ userId, tokenId }, ...limits, ...approvers])
  if (!all) return null
  const { roles, right } = approvers.length > 0 ? approvedRights(all) : leastRights(all)
  // The data that an approved program may read is limited by a propose-only caller, too.
  const bounding = all.filter((one, index) => index > 0 || (approvers.length > 0 && one.right !== 'write'))
  const others = bounding.map(({ userId, tokenId, right, tokenRole }): Limit => ({ userId, tokenId, right, tokenRole }))
  const person = { accountId, userId, ...boundBy(roles), right, limits: others, ...cappedBy(all) }
  if (tokenId === null) return { kind: 'session', sessionId: 'task', ...person }
  const tokenRole = all[0]?.tokenRole
  return { kind: 'token', tokenId, ...person, ...(tokenRole && { tokenRole }) }
}
