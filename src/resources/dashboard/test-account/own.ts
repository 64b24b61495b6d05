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

/** The most test accounts that one person may own. */
const MOST_TEST_ACCOUNTS = 10

type CallerContext = Pick<Context, 'db' | 'caller'>

/** Returns the calling person. Test accounts belong to the person, not to the current account. */
function personOf(caller: Caller): string {
  if (!isUser(caller)) throw new ApiError('permission_denied', 'Only people can have test accounts.')
  return caller.userId
}

/** Returns every test account that the caller belongs to. */
export function ownTestAccounts({ db, caller }: CallerContext): Promise<TestAccountSummary[]> {
  // The limit is higher because the person may be a member of others' test accounts.
  return testAccountsOf(db, personOf(caller), 10 * MOST_TEST_ACCOUNTS)
}

/** Returns a test account of the caller. Throws `resource_missing` for every other account. */
export async function requireTestAccount({ db, caller }: CallerContext, id: string): Promise<TestAccountSummary> {
  const account = await findTestAccount(db, personOf(caller), id)
  if (!account) throw missingResource(TestAccount.name)
  return account
}

/** Like `requireTestAccount`, for an account whose settings the caller may change. */
export async function requireManaged(place: CallerContext, id: string): Promise<TestAccountSummary> {
  const account = await requireTestAccount(place, id)
  return requireRight(account, 'settings.write')
}

/** Like `requireTestAccount`, for an account that the caller owns. */
export async function requireOwned(place: CallerContext, id: string): Promise<TestAccountSummary> {
  const account = await requireTestAccount(place, id)
  return requireRight(account, 'ownership.write')
}

/** Checks the caller's role in the test account, not the one in the current account. */
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
