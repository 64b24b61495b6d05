import { shownBy } from '../../../../clock/account-clock.ts'
import type { Role } from '../../../../contract/declarations/caller.ts'
import { currentTimestamp } from '../../../../contract/values/values.ts'
import type { Db, ShopTransaction } from '../../../tables.ts'
import { createAccount, freeSubdomain } from './open.ts'

export interface TestAccountSummary {
  id: string
  name: string
  subdomain: string
  role: Role
  clock: string
  state: 'running' | 'requested' | 'moving' | 'lost'
  /** The time to which the clock is being moved; null when it is not being moved. */
  target: string | null
  created_at: string
}

export async function testAccountsOf(db: Db, userId: string, most: number): Promise<TestAccountSummary[]> {
  const rows = await summaries(db, userId).orderBy('memberships.account_id').limit(most).execute()
  return rows.map(summaryOf)
}

export async function findTestAccount(db: Db, userId: string, id: string): Promise<TestAccountSummary | undefined> {
  const row = await summaries(db, userId).where('accounts.account_id', '=', id).executeTakeFirst()
  return row && summaryOf(row)
}

/** Opens a test account that the person owns, with a subdomain derived from the name. Returns the account's id. */
export async function openTestAccount(db: Db, userId: string, name: string): Promise<string> {
  const scope = {
    read: db,
    transaction: <Result>(work: (unit: ShopTransaction) => Promise<Result>) => work(whole(db)),
  }
  const subdomain = await freeSubdomain(scope, name)
  return (await createAccount(scope, { name, subdomain, owner: { userId }, test: true })).accountId
}

/** Wraps `db`, which is already in a transaction. An error in any part rolls back everything, so savepoints are not needed. */
function whole(db: Db): ShopTransaction {
  return { db, savepoint: (work) => work(), settled: async () => {} }
}

function summaries(db: Db, userId: string) {
  return db
    .selectFrom('memberships')
    .innerJoin('accounts', 'accounts.account_id', 'memberships.account_id')
    .innerJoin('account_clocks', 'account_clocks.account_id', 'accounts.account_id')
    .select(['accounts.id', 'accounts.name', 'accounts.subdomain', 'accounts.created_at', 'memberships.role'])
    .select(['moment', 'since', 'advance_id', 'target', 'leased_until', 'requested'])
    .where('memberships.user_id', '=', userId)
    .where('accounts.test', '=', 1)
}

type TestAccountRow = Awaited<ReturnType<ReturnType<typeof summaries>['execute']>>[number]

function summaryOf(row: TestAccountRow): TestAccountSummary {
  const { moment, since, advance_id, target, leased_until, requested, ...account } = row
  const realNow = currentTimestamp()
  const clock = shownBy({ moment, since, advance_id }, realNow)
  const moving = leased_until !== null && leased_until > realNow ? 'moving' : 'lost'
  const state = requested !== null ? 'requested' : advance_id === null ? 'running' : moving
  return { ...account, clock, state, target: requested ?? target }
}
