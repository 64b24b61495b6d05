import {
  type Actor,
  type Caller,
  isUser,
  type Limit,
  type Rights,
  TOKEN_RIGHTS,
  type TokenRight,
  type UserCaller,
} from './caller.ts'
import { coverAll, include, type RoleRight, rolesOf } from './role-rights.ts'

function lesserRights(one: Rights, other: Rights): Rights {
  return {
    roles: [...one.roles, ...other.roles],
    right: TOKEN_RIGHTS.indexOf(one.right) > TOKEN_RIGHTS.indexOf(other.right) ? one.right : other.right,
  }
}

/** Combines rights: the result allows an action only if each of `all` allows it. */
export function leastRights(all: readonly Rights[]): Rights {
  return all.reduce(lesserRights)
}

/** Combines rights after an approval: writes that a token may only propose are allowed, writes of a read-only token are not. */
export function approvedRights(all: readonly Rights[]): Rights {
  const { roles, right } = leastRights(all)
  return { roles, right: right === 'propose' ? 'write' : right }
}

/** Returns the token right of the caller, already reduced to the least right of all limiting actors. */
export function rightOf(caller: Caller): TokenRight {
  return isUser(caller) ? (caller.right ?? 'write') : 'write'
}

/** Returns the caller's rights, reduced by every limiting actor. Stored responses are shown only to callers with at least these rights. */
export function boundingRights(caller: Caller): Rights {
  if (!isUser(caller)) return { roles: [], right: 'write' }
  const others = (caller.limits ?? []).map(({ right }): Rights => ({ roles: [], right }))
  return leastRights([{ roles: rolesOf(caller), right: rightOf(caller) }, ...others])
}

export function coverRights(one: Rights, other: Rights): boolean {
  return TOKEN_RIGHTS.indexOf(one.right) <= TOKEN_RIGHTS.indexOf(other.right) && coverAll(one.roles, other.roles)
}

/**
 * Whether responses may include URLs that let their holder act, for which `needed` is the required role right. A token that may only
 * propose never receives such URLs, not even after its plan is applied, because the result goes to that token.
 */
export function mayAct(caller: Caller, needed: RoleRight): boolean {
  if (rightOf(caller) !== 'write') return false
  if (!isUser(caller)) return true
  return include(rolesOf(caller), needed) && (caller.limits ?? []).every(({ right }) => right === 'write')
}

export function actorsOf(caller: UserCaller): Actor[] {
  const tokenId = caller.kind === 'token' ? caller.tokenId : null
  return withoutImplied([{ userId: caller.userId, tokenId }, ...(caller.limits ?? [])])
}

/**
 * Returns the actors responsible for a decision of the caller, such as an approval. For a token with all rights of its user and without
 * daily caps, that is the user, because the decision remains valid when the token is revoked.
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
      tokenId: right === 'write' && !tokenRole && !isCapped(caller, tokenId) ? null : tokenId,
    })),
  )
}

function isCapped({ capped = [] }: Caller, tokenId: string | null): boolean {
  return tokenId !== null && capped.includes(tokenId)
}

/** Returns `capped` for a caller that acts for these actors: their tokens with daily caps, and those of the earlier caller. */
export function cappedBy(
  actors: readonly Limit[],
  { capped = [] }: Pick<Caller, 'capped'> = {},
): Pick<Caller, 'capped'> {
  const own = actors.flatMap(({ tokenId, isCapped }) => (tokenId !== null && isCapped ? [tokenId] : []))
  const all = [...new Set([...capped, ...own])]
  return all.length > 0 ? { capped: all } : {}
}

/** Removes duplicates, and removes a user whose token is in the list, because a token never has more rights than its user. */
export function withoutImplied(actors: readonly Actor[]): Actor[] {
  return actors
    .filter(({ userId, tokenId }, index) => {
      const others = actors.filter((other, at) => other.userId === userId && (at < index || other.tokenId !== tokenId))
      return !others.some((other) => other.tokenId === tokenId || (tokenId === null && other.tokenId !== null))
    })
    .map(({ userId, tokenId }) => ({ userId, tokenId }))
}
