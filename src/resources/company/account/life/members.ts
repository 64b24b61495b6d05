import type { AccountUser, Role } from '../../../../contract/declarations/caller.ts'
import { newId } from '../../../../contract/values/ids.ts'
import { timestampOf } from '../../../../contract/values/values.ts'
import type { Db, ShopScope } from '../../../tables.ts'

/** Adds a person to an account. The operator vouches for the e-mail address. Throws UnprovenAddressError. */
export function addMember(
  database: ShopScope,
  accountId: string,
  { role, ...person }: { name: string; email: string; role: Role },
): Promise<AccountUser> {
  const now = timestampOf(new Date())
  return database.transaction(async ({ db }) =>
    join(db, { accountId, userId: await userWith(db, person, now), role }, now),
  )
}

/** Thrown if an existing user never confirmed the address, because it may belong to somebody else. */
export class UnprovenAddressError extends Error {
  readonly email: string

  constructor(email: string) {
    super(`The address ${email} has not been confirmed.`)
    this.email = email
  }
}

/** Finds or creates the user with an e-mail address. One person is the same user in all accounts. */
export async function userWith(
  db: Db,
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

export async function join(db: Db, { accountId, userId, role }: Member, now: string): Promise<AccountUser> {
  await db.insertInto('memberships').values({ account_id: accountId, user_id: userId, role, created_at: now }).execute()
  return { accountId, userId }
}

export interface Member extends AccountUser {
  role: Role
}

/** Returns the owner of the account with a subdomain, or of the oldest account when no subdomain is given. */
export async function findOwner(database: ShopScope, subdomain?: string): Promise<Member | undefined> {
  const owners = allMembers(database).where('role', '=', 'owner').orderBy('accounts.id')
  const named = subdomain === undefined ? owners : owners.where('accounts.subdomain', '=', subdomain)
  return named.executeTakeFirst()
}

export async function findMember(database: ShopScope, { accountId, userId }: AccountUser): Promise<Member | undefined> {
  const member = allMembers(database).where('memberships.account_id', '=', accountId).where('user_id', '=', userId)
  return member.executeTakeFirst()
}

function allMembers({ read }: ShopScope) {
  return read
    .selectFrom('memberships')
    .innerJoin('accounts', 'accounts.account_id', 'memberships.account_id')
    .select(['memberships.account_id as accountId', 'memberships.user_id as userId', 'memberships.role as role'])
}
