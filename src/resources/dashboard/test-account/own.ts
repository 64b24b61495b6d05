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

const MOST_TEST_ACCOUNTS = 10

type CallerContext = Pick<Context, 'db' | 'caller'>

/** Test accounts belong to a person and not to the current account. */
function personOf(caller: Caller): string {
  if (!isUser(caller)) throw new ApiError('permission_denied', 'Only people can have test accounts.')
  return caller.userId
}

export function ownTestAccounts({ db, caller }: CallerContext): Promise<TestAccountSummary[]> {
  // The limit is higher, because the person may also be a member of other people's test accounts.
  return testAccountsOf(db, personOf(caller), 10 * MOST_TEST_ACCOUNTS)
}

/** Throws `resource_missing` unless the caller belongs to the test account. */
export async function requireTestAccount({ db, caller }: CallerContext, id: string): Promise<TestAccountSummary> {
  const account = await findTestAccount(db, personOf(caller), id)
  if (!account) throw missingResource(TestAccount.name)
  return account
}

/** Throws unless the caller may change the settings of the test account. */
export async function requireManaged(place: CallerContext, id: string): Promise<TestAccountSummary> {
  const account = await requireTestAccount(place, id)
  return requireRight(account, 'settings.write')
}

/** Throws unless the caller owns the test account. */
export async function requireOwned(place: CallerContext, id: string): Promise<TestAccountSummary> {
  const account = await requireTestAccount(place, id)
  return requireRight(account, 'ownership.write')
}

/** Checks the caller's role in the test account; the role in the current account does not matter. */
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
