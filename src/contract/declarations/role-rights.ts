import { listed } from '../../format/lists.ts'
import { type Caller, isUser, ROLES, type Role, type UserCaller } from './caller.ts'
import type { Area, Noun } from './noun.ts'

/** A right of a role: to read or write in an area, or a single ability. */
export type RoleRight =
  | `${Area}.${'read' | 'write'}`
  /** The right to spend the account's credits: on questions to a model, model runs, web maps. */
  | 'account.spend'
  /** The right to create API tokens for oneself. */
  | 'self.token'
  /** The right to share saved views with the whole account. */
  | 'self.share'
  /** The right to refund within the account's refund limits. */
  | 'sales.refund'
  /** The right to refund any amount. */
  | 'sales.refund_any'
  /** The right to delete data that a buyer submitted. */
  | 'customers.erase'
  /** The right to run Ruby programs; each call in a program needs its own right. */
  | 'programs.run'
  /** The right to read, stop and resume the programs of others. */
  | 'programs.read_any'
  /** The right to see and revoke the tokens and connections of others. */
  | 'people.access'
  /** The right to visit pages that only admins may see. */
  | 'content.visit_any'

/** Rights of every role: managing one's own tokens, connections and test accounts, and running programs. */
const EVERYBODY = ['account.read', 'self.read', 'self.write', 'programs.run'] as const

const VIEWER: readonly RoleRight[] = [
  ...EVERYBODY,
  ...(['products.read', 'sales.read', 'customers.read', 'content.read', 'automation.read'] as const),
  'company.read',
]

const SUPPORT: readonly RoleRight[] = [
  ...VIEWER,
  ...(['sales.write', 'sales.refund', 'customers.write', 'programs.read', 'programs.write'] as const),
  ...(['account.spend', 'self.share'] as const),
]

const EDITOR: readonly RoleRight[] = [
  ...VIEWER,
  ...(['products.write', 'content.write', 'programs.read', 'programs.write'] as const),
  ...(['account.spend', 'self.share'] as const),
]

/** The rights that all non-admins had before other roles existed; they never change. */
const MEMBER: readonly RoleRight[] = [
  ...SUPPORT,
  ...EDITOR,
  ...(['automation.write', 'company.write', 'developers.read', 'developers.write'] as const),
  ...(['wallet.read', 'self.token', 'sales.refund_any'] as const),
]

const ADMIN: readonly RoleRight[] = [
  ...MEMBER,
  ...(['account.write', 'wallet.write', 'people.read', 'people.write', 'people.access', 'programs.read_any'] as const),
  ...(['settings.read', 'settings.write', 'log.read', 'customers.erase', 'content.visit_any'] as const),
]

const OWNER: readonly RoleRight[] = [...ADMIN, 'ownership.read', 'ownership.write']

/** The rights of each role. They are sets: roles have no order. */
export const ROLE_RIGHTS: Readonly<Record<Role, ReadonlySet<RoleRight>>> = {
  owner: new Set(OWNER),
  admin: new Set(ADMIN),
  editor: new Set(EDITOR),
  support: new Set(SUPPORT),
  viewer: new Set(VIEWER),
  member: new Set(MEMBER),
}

/** Roles that can be assigned to members; members who have the old role `member` keep it. */
export const OFFERED_ROLES = ROLES.filter((role) => role !== 'member')

/** Returns the right to read or write a noun. Only owners have the right to a noun without an area; a test reports such nouns. */
export function rightFor({ area }: Pick<Noun, 'area'>, writes: boolean): RoleRight {
  return area === null ? 'ownership.write' : `${area}.${writes ? 'write' : 'read'}`
}

export function rolesWith(right: RoleRight): Role[] {
  return ROLES.filter((role) => ROLE_RIGHTS[role].has(right))
}

/** Returns the roles that include a right, or null if even the role `member` includes it. */
export function narrowRoles(right: RoleRight): Role[] | null {
  return ROLE_RIGHTS.member.has(right) ? null : rolesWith(right)
}

/** Returns the roles that limit the caller: those of the person, of the token and of limiting actors. */
export function rolesOf({ role, otherRoles = [] }: Pick<UserCaller, 'role' | 'otherRoles'>): Role[] {
  return [...new Set([role, ...otherRoles])]
}

/** Whether every one of the roles includes a right, since several actors together may do only what each of them may. */
export function include(roles: readonly Role[], right: RoleRight): boolean {
  return roles.every((role) => ROLE_RIGHTS[role].has(right))
}

/** Whether the caller's roles, including those of limiting actors, include a right. Always false for callers that are not users. */
export function mayDo(caller: Caller, right: RoleRight): boolean {
  return isUser(caller) && include(rolesOf(caller), right)
}

/** Whether all of the roles allow everything that another role allows. */
export function cover(roles: readonly Role[], other: Role): boolean {
  return coverAll(roles, [other])
}

/** Whether a person limited by `roles` may do everything that a person limited by `others` may do. */
export function coverAll(roles: readonly Role[], others: readonly Role[]): boolean {
  return [...ROLE_RIGHTS.owner].every((right) => !include(others, right) || include(roles, right))
}

/** Converts roles to the fields of a caller. Leaves out duplicates, and roles that allow everything that another role allows. */
export function boundBy(roles: readonly Role[]): Pick<UserCaller, 'role' | 'otherRoles'> {
  const distinct = [...new Set(roles)]
  const least = distinct.filter((role) => !distinct.some((other) => other !== role && cover([role], other)))
  const [role = 'viewer', ...otherRoles] = least
  return otherRoles.length > 0 ? { role, otherRoles } : { role }
}

/** Returns the most powerful roles that allow only what all given roles allow: `viewer` for `editor` and `support`. */
export function commonRoles(roles: readonly Role[]): Role[] {
  const all = ROLES.filter((role) => cover(roles, role))
  return all.filter((role) => !all.some((other) => other !== role && cover([other], role)))
}

/** Returns the text of a refusal, which names the roles that have the right. */
export function rolesNeeded(right: RoleRight): string {
  const all = rolesWith(right)
  return all.length === 1 ? `This requires the role ${all[0]}` : `This requires one of the roles ${listed(all, 'or')}`
}
