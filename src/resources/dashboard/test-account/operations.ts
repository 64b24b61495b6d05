import { integer, oneOf, text, timestamp } from '../../../contract/declarations/kinds.ts'
import { custom, customList, outside } from '../../../records/custom.ts'
import { resource } from '../../../records/resource.ts'
import { AccountDeletion } from '../account-deletion/account-deletion.ts'
import { type BeforeDeletion, removeAccount } from '../account-deletion/remove.ts'
import { advanceTestAccount } from './advance.ts'
import { createTestAccount, ownTestAccounts, requireOwned, requireTestAccount } from './own.ts'
import { TestAccount } from './test-account.ts'

const PATH = '/test_accounts'
const SESSION = { callers: ['session'] } as const

/** Returns the resource for test accounts, whose deletions begin with the preparations of features. */
export function testAccounts(before: readonly BeforeDeletion[]) {
  return resource(TestAccount, {
    dashboard: [
      customList({
        id: 'list_test_accounts',
        method: 'GET',
        path: PATH,
        summary: 'List the test accounts of the caller',
        answers: TestAccount,
        ...SESSION,
        rule: async (context) => ({ rows: await ownTestAccounts(context), hasMore: false }),
      }),
      custom({
        id: 'retrieve_test_account',
        method: 'GET',
        path: `${PATH}/{id}`,
        summary: 'Show a test account and its clock',
        answers: TestAccount,
        ...SESSION,
        rule: (context, { path }) => requireTestAccount(context, path.id),
      }),
      custom({
        id: 'create_test_account',
        method: 'POST',
        path: PATH,
        summary: 'Open a test account with a clock of its own',
        answers: TestAccount,
        status: 201,
        ...SESSION,
        body: { name: text('Name of the shop', { max: 100, example: 'Rehearsal' }).required() },
        rule: (context, { input }) => createTestAccount(context, input.name),
      }),
      custom({
        id: 'advance_test_account',
        method: 'POST',
        path: `${PATH}/{id}/advance`,
        summary: 'Move the clock of a test account forward; everything due in between happens in order',
        answers: TestAccount,
        ...SESSION,
        body: {
          to: timestamp('Time to move it to').nullable('by count and unit'),
          count: integer('Number of units', { min: 1, max: 10_000, example: 1 }).nullable('by a moment'),
          unit: oneOf(['hours', 'days', 'weeks', 'months', 'years'], 'Unit of the count').nullable('by a moment'),
        },
        rule: (context, { path, input }) => advanceTestAccount(context, path.id, input),
      }),
      outside({
        id: 'delete_test_account',
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
