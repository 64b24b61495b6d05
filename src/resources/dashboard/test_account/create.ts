import { invalid } from '../../../contract/declarations/errors.ts'
import type { Context } from '../../../records/context.ts'
import { openTestAccount, type TestAccountSummary } from '../../company/account/life/test_accounts.ts'
import { MOST_TEST_ACCOUNTS, ownTestAccounts, personOf, requireTestAccount } from './own.ts'

/** Opens a test account that the caller owns, without a token. */
export async function createTestAccount(context: Context, name: string): Promise<TestAccountSummary> {
  const owned = (await ownTestAccounts(context)).filter(({ role }) => role === 'owner')
  if (owned.length >= MOST_TEST_ACCOUNTS)
    throw invalid({ base: [`A person has at most ${MOST_TEST_ACCOUNTS} test accounts; delete one first`] })
  const id = await openTestAccount(context.db, personOf(context.caller), name)
  return requireTestAccount(context, id)
}
