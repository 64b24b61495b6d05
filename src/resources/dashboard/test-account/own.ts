import { type Caller, isUser } from '../../../contract/declarations/caller.ts'
import { ApiError, invalid, missingResource } from '../../../contract/declarations/errors.ts'
import { include, type RoleRight, rolesNeeded } from '../../../contract/declarations/role-rights.ts'
import type { Context } from '../../../records/context.ts'
import {
  findTestAccount,
  openTestAccount,
  type TestAccountSummary,
  testAccountsOf,
} from '../../company/account/life/test-accounts.ts'
import { TestAccount } from './test-account.ts'

/** The maximum number of test accounts that one person may own. */
const MOST_TEST_ACCOUNTS = 10

type CallerContext = Pick<Context, 'db' | 'caller'>

/** Returns the id of the caller's user. Test accounts belong to a person and not to the current account. */
function personOf(caller: Caller): string {
  if (!isUser(caller)) throw new ApiError('permission_denied', 'Only people can have test accounts.')
  return caller.userId
}

/** Returns all test accounts that the caller belongs to. */
export function ownTestAccounts({ db, caller }: CallerContext): Promise<TestAccountSummary[]> {
  // The limit is higher than MOST_TEST_ACCOUNTS, because the person may also be a member of test accounts of others.
  return testAccountsOf(db, personOf(caller), 10 * MOST_TEST_ACCOUNTS)
}

/** Returns a test account that the caller belongs to. Throws `resource_missing` for all other accounts. */
export async function requireTestAccount({ db, caller }: CallerContext, id: string): Promise<TestAccountSummary> {
  const account = await findTestAccount(db, personOf(caller), id)
  if (!account) throw missingResource(TestAccount.name)
  return account
}

/** Returns a test account whose settings the caller may change. Throws for all other accounts. */
export async function requireManaged(place: CallerContext, id: string): Promise<TestAccountSummary> {
  const account = await requireTestAccount(place, id)
  return requireRight(account, 'settings.write')
}

/** Returns a test account that the caller owns. Throws for all other accounts. */
export async function requireOwned(place: CallerContext, id: string): Promise<TestAccountSummary> {
  const account = await requireTestAccount(place, id)
  return requireRight(account, 'ownership.write')
}

/** Throws unless the caller's role in the test account has the needed right. The role in the current account does not matter. */
function requireRight(account: TestAccountSummary, needed: RoleRight): TestAccountSummary {
  if (include([account.role], needed)) return account
  throw new ApiError('permission_denied', `${rolesNeeded(needed)} in the test account; yours there is ${account.role}.`)
}

/** Creates a test account that the caller owns, without a token. */
export async function createTestAccount(context: Context, name: string): Promise<TestAccountSummary> {
  const owned = (await ownTestAccounts(context)).filter(({ role }) => role === 'owner')
  if (owned.length >= MOST_TEST_ACCOUNTS)
    throw invalid({ base: [`A person has at most ${MOST_TEST_ACCOUNTS} test accounts; delete one first`] })
  const id = await openTestAccount(context.db, personOf(context.caller), name)
  return requireTestAccount(context, id)
}
