import type { AccountUser, Role } from '../../../../contract/declarations/caller.ts'
import { newId } from '../../../../contract/values/ids.ts'
import { timestampOf } from '../../../../contract/values/values.ts'
import type { Scope } from '../../../../database/database.ts'
import type { Tables } from '../../../tables.ts'

interface NewMember {
  name: string
  email: string
  role: Role
}

/** Adds whoever has an address to an account with a role, on the word of the operator. Throws UnprovenAddressError. */
export function addMember(
  database: Scope<Tables>,
  accountId: string,
  { role, ...person }: NewMember,
): Promise<AccountUser> {
  const now = timestampOf(new Date())
  return database.transaction(async ({ db }) =>
    join(db, { accountId, userId: await userWith(db, person, now), role }, now),
  )
}

/** Somebody signs in with an address that nobody has proven: it may be another person's. */
export class UnprovenAddressError extends Error {
  readonly email: string

  constructor(email: string) {
    super(`The address ${email} has not been confirmed.`)
    this.email = email
  }
}

/** A person is one user in all accounts, known by the address. */
export async function userWith(
  db: Scope<Tables>['read'],
  { name, email, unproven = false }: { name: string; email: string; unproven?: boolean },
  created_at: string,
): Promise<string> {
  const known = await db
    .selectFrom('users')
    .select(['id', 'email_verified'])
    .where('email', '=', email)
    .executeTakeFirst()
  if (known && known.email_verified !== 1) throw new UnprovenAddressError(email)
  if (known) return known.id
  const id = newId('user')
  await db
    .insertInto('users')
    .values({ id, name, email, email_verified: unproven ? 0 : 1, created_at })
    .execute()
  return id
}

/** Gives a person a place in an account. */
export async function join(
  db: Scope<Tables>['read'],
  { accountId, userId, role }: Member,
  now: string,
): Promise<AccountUser> {
  await db.insertInto('memberships').values({ account_id: accountId, user_id: userId, role, created_at: now }).execute()
  return { accountId, userId }
}

export interface Member extends AccountUser {
  role: Role
}

/** The owner of an account named by its subdomain, or of the oldest account. */
export async function findOwner(database: Scope<Tables>, subdomain?: string): Promise<Member | undefined> {
  const owners = allMembers(database).where('role', '=', 'owner').orderBy('accounts.id')
  const named = subdomain === undefined ? owners : owners.where('accounts.subdomain', '=', subdomain)
  return named.executeTakeFirst()
}

/** A user's place in an account, or undefined when the user has none there. */
export async function findMember(
  database: Scope<Tables>,
  { accountId, userId }: AccountUser,
): Promise<Member | undefined> {
  const member = allMembers(database).where('memberships.account_id', '=', accountId).where('user_id', '=', userId)
  return member.executeTakeFirst()
}

function allMembers({ read }: Scope<Tables>) {
  return read
    .selectFrom('memberships')
    .innerJoin('accounts', 'accounts.account_id', 'memberships.account_id')
    .select(['memberships.account_id as accountId', 'memberships.user_id as userId', 'memberships.role as role'])
}
