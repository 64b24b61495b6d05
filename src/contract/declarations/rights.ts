import {
  type Actor,
  type Caller,
  isUser,
  type Rights,
  TOKEN_RIGHTS,
  type TokenRight,
  type UserCaller,
} from './caller.ts'
import { coverAll, include, type RoleRight, rolesOf } from './role-rights.ts'

/** What two may both do. */
function lesserRights(one: Rights, other: Rights): Rights {
  return {
    roles: [...one.roles, ...other.roles],
    right: TOKEN_RIGHTS.indexOf(one.right) > TOKEN_RIGHTS.indexOf(other.right) ? one.right : other.right,
  }
}

/** What all may do. */
export function leastRights(all: readonly Rights[]): Rights {
  return all.reduce(lesserRights)
}

/** What all may do once somebody has approved it: an approval allows what a token may only propose, and no token that only reads. */
export function approvedRights(all: readonly Rights[]): Rights {
  const { roles, right } = leastRights(all)
  return { roles, right: right === 'propose' ? 'write' : right }
}

/** What a caller's token, or the least of those that bound it, may do. */
export function rightOf(caller: Caller): TokenRight {
  return isUser(caller) ? (caller.right ?? 'write') : 'write'
}

/** The rights of a caller, limited by those of everybody who bounds it. Stored answers are given by these. */
export function boundingRights(caller: Caller): Rights {
  if (!isUser(caller)) return { roles: [], right: 'write' }
  const others = (caller.limits ?? []).map(({ right }): Rights => ({ roles: [], right }))
  return leastRights([{ roles: rolesOf(caller), right: rightOf(caller) }, ...others])
}

/** Whether some rights include all of others. */
export function coverRights(one: Rights, other: Rights): boolean {
  return TOKEN_RIGHTS.indexOf(one.right) <= TOKEN_RIGHTS.indexOf(other.right) && coverAll(one.roles, other.roles)
}

/**
 * Whether answers may show a caller addresses that let whoever has them act, for which a role must include `needed`. What a
 * proposing token planned sees none of them when it is applied either: its answer goes to that token.
 */
export function mayAct(caller: Caller, needed: RoleRight): boolean {
  if (rightOf(caller) !== 'write') return false
  if (!isUser(caller)) return true
  return include(rolesOf(caller), needed) && (caller.limits ?? []).every(({ right }) => right === 'write')
}

/** All whose rights a caller needs for what it does, itself first. */
export function actorsOf(caller: UserCaller): Actor[] {
  const tokenId = caller.kind === 'token' ? caller.tokenId : null
  return withoutImplied([{ userId: caller.userId, tokenId }, ...(caller.limits ?? [])])
}

/**
 * All who answer for a decision of the caller, such as an approval. It outlives a token that may do all that its user may, so
 * the user answers for such a token.
 */
export function decidersOf(caller: Caller): Actor[] {
  if (!isUser(caller)) return []
  const own = {
    userId: caller.userId,
    tokenId: caller.kind === 'token' ? caller.tokenId : null,
    right: rightOf(caller),
    tokenRole: caller.kind === 'token' ? caller.tokenRole : null,
  }
  const all = [own, ...(caller.limits ?? [])]
  return withoutImplied(
    all.map(({ userId, tokenId, right, tokenRole }) => ({
      userId,
      tokenId: right === 'write' && !tokenRole ? null : tokenId,
    })),
  )
}

/** Each actor once; a person is implied by a token of that person, which may do no more. */
export function withoutImplied(actors: readonly Actor[]): Actor[] {
  return actors
    .filter(({ userId, tokenId }, index) => {
      const others = actors.filter((other, at) => other.userId === userId && (at < index || other.tokenId !== tokenId))
      return !others.some((other) => other.tokenId === tokenId || (tokenId === null && other.tokenId !== null))
    })
    .map(({ userId, tokenId }) => ({ userId, tokenId }))
}
