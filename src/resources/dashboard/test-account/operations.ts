import { ClockError, refuseTarget } from '../../../clock/advance.ts'
import { afterDuration } from '../../../clock/durations.ts'
import { askForAdvance } from '../../../clock/requests.ts'
import { type Caller, isUser } from '../../../contract/declarations/caller.ts'
import { ApiError, invalid, missingResource } from '../../../contract/declarations/errors.ts'
import { integer, oneOf, text, timestamp } from '../../../contract/declarations/kinds.ts'
import { include, type RoleRight, rolesNeeded } from '../../../contract/declarations/role-rights.ts'
import type { Context } from '../../../records/context.ts'
import { custom, customList, outside } from '../../../records/custom.ts'
import { resource } from '../../../records/resource.ts'
import {
  findTestAccount,
  openTestAccount,
  type TestAccountSummary,
  testAccountsOf,
} from '../../company/account/life/test-accounts.ts'
import { AccountDeletion } from '../account-deletion/account-deletion.ts'
import { type BeforeDeletion, removeAccount } from '../account-deletion/remove.ts'
import { TestAccount } from './test-account.ts'

const MOST_TEST_ACCOUNTS = 10

type CallerContext = Pick<Context, 'db' | 'caller'>

interface Distance {
  to?: string | null
  count?: number | null
  unit?: string | null
}

const PATH = '/test_accounts'
const SESSION = { callers: ['session'] } as const
const TO_ITS_OWNER = { answers: TestAccount, ...SESSION } as const
const NEW = { name: text('Name of the shop', { max: 100, example: 'Rehearsal' }).required() }
const DISTANCE = {
  to: timestamp('Time to move it to').nullable('by count and unit'),
  count: integer('Number of units', { min: 1, max: 10_000, example: 1 }).nullable('by a moment'),
  unit: oneOf(['hours', 'days', 'weeks', 'months', 'years'], 'Unit of the count').nullable('by a moment'),
}

/** Returns the resource for test accounts. `before` contains what features do before an account is deleted. */
export function testAccounts(before: readonly BeforeDeletion[]) {
  return resource(TestAccount, {
    dashboard: [
      customList({
        id: 'list_test_accounts',
        method: 'GET',
        path: PATH,
        summary: 'List the test accounts of the caller',
        ...TO_ITS_OWNER,
        rule: async (context) => ({ rows: await ownTestAccounts(context), hasMore: false }),
      }),
      custom({
        id: 'retrieve_test_account',
        method: 'GET',
        path: `${PATH}/{id}`,
        summary: 'Show a test account and its clock',
        ...TO_ITS_OWNER,
        rule: (context, { path }) => requireTestAccount(context, path.id),
      }),
      custom({
        id: 'create_test_account',
        right: 'settings.write',
        method: 'POST',
        path: PATH,
        summary: 'Open a test account with a clock of its own',
        ...TO_ITS_OWNER,
        status: 201,
        body: NEW,
        rule: (context, { input }) => createTestAccount(context, input.name),
      }),
      custom({
        id: 'advance_test_account',
        method: 'POST',
        path: `${PATH}/{id}/advance`,
        summary: 'Move the clock of a test account forward; everything due in between happens in order',
        ...TO_ITS_OWNER,
        body: DISTANCE,
        rule: (context, { path, input }) => advanceTestAccount(context, path.id, input),
      }),
      outside({
        id: 'delete_test_account',
        right: 'self.write',
        method: 'POST',
        evenWhenFull: true,
        path: `${PATH}/{id}/delete`,
        summary: 'Delete a test account and everything in it',
        answers: AccountDeletion,
        ...SESSION,
        body: { subdomain: text('Subdomain of the account, to confirm', { max: 63, example: 'rehearsal' }).required() },
        rule: async (context, { path, input }) =>
          removeAccount(context, await requireOwned(context, path.id), input.subdomain, before),
      }),
    ],
  })
}

/** Requests that a test account's clock be advanced. A server begins within a second or two. */
async function advanceTestAccount(context: Context, id: string, distance: Distance): Promise<TestAccountSummary> {
  const { clock, state, target } = await requireManaged(context, id)
  if (state === 'moving' || state === 'requested')
    throw new ApiError('invalid_state', `The clock is already being moved to ${target}. Wait for it to finish.`)
  const to = targetOf(clock, distance)
  try {
    refuseTarget(clock, to)
  } catch (error) {
    if (error instanceof ClockError) throw invalid({ to: [error.message] })
    throw error
  }
  await askForAdvance(context.db, id, to)
  return requireTestAccount(context, id)
}

function targetOf(clock: string, { to, count, unit }: Distance): string {
  if (to) return to
  if (!count || !unit) throw invalid({ to: ['is missing: send a time, or a count and a unit'] })
  const after = afterDuration(clock, String(count), unit)
  if (after === null) throw invalid({ count: ['leads to an invalid time'] })
  return after
}

/** Returns the caller's user id, because test accounts belong to a person and not to the current account. */
function personOf(caller: Caller): string {
  if (!isUser(caller)) throw new ApiError('permission_denied', 'Only people can have test accounts.')
  return caller.userId
}

function ownTestAccounts({ db, caller }: CallerContext): Promise<TestAccountSummary[]> {
  // This limit exceeds MOST_TEST_ACCOUNTS, because the person may also be a member of other people's test accounts.
  return testAccountsOf(db, personOf(caller), 10 * MOST_TEST_ACCOUNTS)
}

/** Throws `resource_missing` unless the caller belongs to the test account. */
async function requireTestAccount({ db, caller }: CallerContext, id: string): Promise<TestAccountSummary> {
  const account = await findTestAccount(db, personOf(caller), id)
  if (!account) throw missingResource(TestAccount.name)
  return account
}

async function requireManaged(place: CallerContext, id: string): Promise<TestAccountSummary> {
  const account = await requireTestAccount(place, id)
  return requireRight(account, 'settings.write')
}

async function requireOwned(place: CallerContext, id: string): Promise<TestAccountSummary> {
  const account = await requireTestAccount(place, id)
  return requireRight(account, 'ownership.write')
}

/** Checks the caller's role in the test account; the role in the current account does not matter. */
function requireRight(account: TestAccountSummary, needed: RoleRight): TestAccountSummary {
  if (include([account.role], needed)) return account
  throw new ApiError('permission_denied', `${rolesNeeded(needed)} in the test account; yours there is ${account.role}.`)
}

/** Creates a test account that the caller owns, without a token. */
async function createTestAccount(context: Context, name: string): Promise<TestAccountSummary> {
  const owned = (await ownTestAccounts(context)).filter(({ role }) => role === 'owner')
  if (owned.length >= MOST_TEST_ACCOUNTS)
    throw invalid({ base: [`A person has at most ${MOST_TEST_ACCOUNTS} test accounts; delete one first`] })
  const id = await openTestAccount(context.db, personOf(context.caller), name)
  return requireTestAccount(context, id)
}
