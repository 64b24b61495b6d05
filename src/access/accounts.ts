import type { Role } from '../contract/caller.ts'
import { newId } from '../contract/ids.ts'
import { timestampOf } from '../contract/values.ts'
import type { Scope } from '../database/database.ts'
import { FIRST_CREDITS } from '../resources/company/account/account.ts'
import { firstLegalPages } from '../resources/content/legal_page/first.ts'
import type { Tables } from '../resources/tables.ts'
import type { TokenOwner } from './tokens.ts'

export interface NewAccount {
  name: string
  subdomain: string
  owner: { name: string; email: string }
  /** Gives it a clock of its own, and payments that are never real. */
  test?: boolean | undefined
  /** Where the clock of a test account begins; the system's time when absent. */
  clock?: string | undefined
}

/** Makes an account with its owner, who becomes a user unless the address is one already. */
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
    return join(db, accountId, { ...owner, role: 'owner' }, realNow)
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

/** Adds a person to an account with a role. */
export function addMember(database: Scope<Tables>, accountId: string, member: NewMember): Promise<TokenOwner> {
  return database.transaction(({ db }) => join(db, accountId, member, timestampOf(new Date())))
}

/** A person is one user in all accounts, known by the address. */
async function join(
  db: Scope<Tables>['read'],
  accountId: string,
  { name, email, role }: NewMember,
  now: string,
): Promise<TokenOwner> {
  const known = await db.selectFrom('users').select('id').where('email', '=', email).executeTakeFirst()
  const userId = known?.id ?? newId('user')
  if (!known) await db.insertInto('users').values({ id: userId, name, email, created_at: now }).execute()
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
