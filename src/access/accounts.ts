import type { Role } from '../contract/declarations/caller.ts'
import { newId } from '../contract/values/ids.ts'
import { timestampOf } from '../contract/values/values.ts'
import type { Scope } from '../database/database.ts'
import { FIRST_CREDITS } from '../resources/company/account/account.ts'
import { firstLegalPages } from '../resources/content/legal_page/first.ts'
import type { Tables } from '../resources/tables.ts'
import type { TokenOwner } from './tokens.ts'

export interface NewAccount {
  name: string
  subdomain: string
  /** Somebody who is known already, or whoever has the address. `unproven`: nobody has said that it is theirs. */
  owner: { userId: string } | { name: string; email: string; unproven?: boolean }
  /** Gives it a clock of its own, and payments that are never real. */
  test?: boolean | undefined
  /** Where the clock of a test account begins; the system's time when absent. */
  clock?: string | undefined
}

/** Makes an account with its owner, who becomes a user unless the address is one already. Throws UnprovenAddressError. */
export async function createAccount(
  database: Scope<Tables>,
  { name, subdomain, owner, test = false, clock }: NewAccount,
): Promise<TokenOwner> {
  const accountId = newId('acct')
  const realNow = timestampOf(new Date())
  const now = clock ?? realNow
  const blank = { support_email: null, description: null, default_currency: 'usd', timezone: 'UTC' }
  return database.transaction(async ({ db }) => {
    const settings = { name, subdomain, ...blank, test: test ? 1 : 0, credit_balance: FIRST_CREDITS }
    const account = { account_id: accountId, id: accountId, ...settings }
    await db
      .insertInto('accounts')
      .values({ ...account, created_at: now, updated_at: now })
      .execute()
    await bookFirstCredits(db, accountId, now)
    await db.insertInto('legal_pages').values(firstLegalPages(accountId, now)).execute()
    if (test) await insertClock(db, accountId, { moment: now, since: realNow })
    const userId = 'userId' in owner ? owner.userId : await userWith(db, owner, realNow)
    return join(db, { accountId, userId, role: 'owner' }, realNow)
  })
}

/** The first entry of the account's ledger. */
async function bookFirstCredits(db: Scope<Tables>['read'], accountId: string, now: string): Promise<void> {
  const credits = { delta: FIRST_CREDITS, balance_after: FIRST_CREDITS }
  const why = { kind: 'opening', reason: 'first_credits', reference: null, reservation: null } as const
  await db
    .insertInto('credit_entries')
    .values({ account_id: accountId, id: newId('cred'), ...why, ...credits, created_at: now })
    .execute()
}

async function insertClock(
  db: Scope<Tables>['read'],
  accountId: string,
  begins: { moment: string; since: string },
): Promise<void> {
  const atRest = { advance_id: null, target: null, leased_until: null, requested: null }
  await db
    .insertInto('account_clocks')
    .values({ account_id: accountId, id: accountId, ...begins, ...atRest })
    .execute()
}

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
): Promise<TokenOwner> {
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
async function userWith(
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

async function join(db: Scope<Tables>['read'], { accountId, userId, role }: Member, now: string): Promise<TokenOwner> {
  await db.insertInto('memberships').values({ account_id: accountId, user_id: userId, role, created_at: now }).execute()
  return { accountId, userId }
}

/** A person in an account. */
export interface Member extends TokenOwner {
  role: Role
}

/** The owner of an account named by its subdomain, or of the oldest account. */
export async function findOwner(database: Scope<Tables>, subdomain?: string): Promise<Member | undefined> {
  const owners = members(database).where('role', '=', 'owner').orderBy('accounts.id')
  const named = subdomain === undefined ? owners : owners.where('accounts.subdomain', '=', subdomain)
  return (await named.executeTakeFirst()) as Member | undefined
}

/** A user's place in an account, or undefined when the user has none there. */
export async function findMember(
  database: Scope<Tables>,
  { accountId, userId }: TokenOwner,
): Promise<Member | undefined> {
  const member = members(database).where('memberships.account_id', '=', accountId).where('user_id', '=', userId)
  return (await member.executeTakeFirst()) as Member | undefined
}

function members({ read }: Scope<Tables>) {
  return read
    .selectFrom('memberships')
    .innerJoin('accounts', 'accounts.id', 'memberships.account_id')
    .select(['memberships.account_id as accountId', 'memberships.user_id as userId', 'memberships.role as role'])
}
