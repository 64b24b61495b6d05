import { resource } from '../../../records/resource.ts'
import { verbs } from '../../../records/verbs.ts'
import { Account } from './account.ts'
import { currentAccount } from './current.ts'
import { grantLater, returnLostCredits } from './jobs.ts'
import { deriveAccounts } from './show.ts'
import { verifyStorefront } from './storefront-domain/jobs.ts'
import { updateAccount } from './update.ts'

const { retrieve, update } = verbs(Account)

export const account = resource(Account, {
  derive: deriveAccounts,
  jobs: [returnLostCredits, grantLater, verifyStorefront],
  operations: [
    retrieve({ summary: 'Show the account the token belongs to', path: '/account', find: currentAccount }),
    update({
      summary: 'Change account settings',
      description:
        'Requires the role owner or admin, else 403. A subdomain that another account has, or that is reserved for the service, such as www or admin, is 422. A storefront_domain that another shop or site has verified comes here once it has this account’s record and no longer the other’s.',
      path: '/account',
      emits: ['account.updated'],
      inTurn: true,
      find: currentAccount,
      rule: updateAccount,
    }),
  ],
})
