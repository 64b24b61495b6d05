import { type Caller, isUser } from '../../../contract/declarations/caller.ts'
import { ApiError, missingResource } from '../../../contract/declarations/errors.ts'
import type { Context } from '../../../records/context.ts'
import { findTestAccount, type TestAccountSummary, testAccountsOf } from '../../company/account/life/test_accounts.ts'
import { TestAccount } from './test_account.ts'

/** Test accounts of one person. */
export const MOST_TEST_ACCOUNTS = 10

type Place = Pick<Context, 'db' | 'caller'>

/** The person who calls; what a test account shows is the person's, whichever account they are in now. */
export function personOf(caller: Caller): string {
  if (!isUser(caller)) throw new ApiError('permission_denied', 'Only people can have test accounts.')
  return caller.userId
}

/** Every test account that the caller belongs to. */
export function ownTestAccounts({ db, caller }: Place): Promise<TestAccountSummary[]> {
  // A person may have been invited to those of others.
  return testAccountsOf(db, personOf(caller), 10 * MOST_TEST_ACCOUNTS)
}

/** A test account of the caller. Throws `resource_missing` for every other account. */
export async function requireTestAccount({ db, caller }: Place, id: string): Promise<TestAccountSummary> {
  const account = await findTestAccount(db, personOf(caller), id)
  if (!account) throw missingResource(TestAccount.name)
  return account
}

/** As `requireTestAccount`, of one that the caller runs. */
export async function requireManaged(place: Place, id: string): Promise<TestAccountSummary> {
  const account = await requireTestAccount(place, id)
  if (account.role !== 'member') return account
  throw new ApiError('permission_denied', 'This requires the role admin or higher in the test account.')
}

/** As `requireTestAccount`, of one that the caller owns. */
export async function requireOwned(place: Place, id: string): Promise<TestAccountSummary> {
  const account = await requireTestAccount(place, id)
  if (account.role === 'owner') return account
  throw new ApiError('permission_denied', 'This requires the role owner in the test account.')
}
