import { text } from '../../../contract/declarations/kinds.ts'
import { outside } from '../../../records/custom.ts'
import { resource } from '../../../records/resource.ts'
import { rowsOf } from '../../../records/rows-of.ts'
import { AccountDeletion } from './account-deletion.ts'
import { type BeforeDeletion, removeAccount } from './remove.ts'

/** Returns the resource for deletions of accounts, which begin with the preparations of features. */
export function accountDeletions(before: readonly BeforeDeletion[]) {
  return resource(AccountDeletion, {
    dashboard: [
      outside({
        id: 'delete_account',
        method: 'POST',
        evenWhenFull: true,
        path: '/account/delete',
        summary: 'Delete the account and everything in it',
        description:
          'Only an owner can do it, and must type the subdomain to confirm. Tokens and sessions end at once.',
        answers: AccountDeletion,
        callers: ['session'],
        body: {
          subdomain: text('Subdomain of the account, to confirm', { max: 63, example: 'adas-books' }).required(),
        },
        rule: async (context, { input }) => {
          const own = rowsOf(context, 'accounts').select(['id', 'subdomain']).where('id', '=', context.accountId)
          return removeAccount(context, await own.executeTakeFirstOrThrow(), input.subdomain, before)
        },
      }),
    ],
  })
}
