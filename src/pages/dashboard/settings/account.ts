import { goTo } from '../kit/answers.ts'
import type { DashboardPage } from '../kit/visit.ts'
import { settingsForm } from './form.ts'

export const settingsPage: DashboardPage = {
  path: '/settings',
  get: async ({ base }) => goTo(`${base}/settings/account`),
}

export const accountPage = settingsForm({
  path: '/settings/account',
  see: 'account.read',
  send: 'account.write',
  title: 'Account',
  lead: 'The shop’s name and address, and how amounts and times are shown.',
  partly: true,
  view: {
    groups: [
      { names: ['name', 'subdomain', 'support_email', 'default_currency', 'timezone', 'description'] },
      { title: 'Buyers', names: ['buyers_may_pause'] },
      { title: 'Plans of agents', names: ['plan_lifetime_hours'] },
      { title: 'Tasks', names: ['failed_run_emails'] },
    ],
    labels: {
      subdomain: 'Subdomain',
      default_currency: 'Currency',
      plan_lifetime_hours: 'Hours to decide on a plan',
      buyers_may_pause: 'Buyers may pause their subscriptions',
      failed_run_emails: 'E-mail me and my team about failed runs',
    },
    hints: {
      subdomain: 'Lowercase letters, digits and hyphens.',
      default_currency: 'The default for new prices.',
      plan_lifetime_hours: 'From 1 hour to 720 hours, which is 30 days. Plans that exist keep theirs.',
      buyers_may_pause: 'On their own page, where they can always cancel. Nothing is charged while it is paused.',
      failed_run_emails:
        'Whoever wrote a task hears of its failed runs, at most once a day. Home shows them in any case.',
      timezone: 'Reports use it for days and months.',
    },
  },
  operation: 'PATCH /account',
  read: ({ call }) => call('GET /account'),
  change: ({ call }, body) => call('PATCH /account', { body }),
  // The addresses of the dashboard contain the subdomain, which this form may have changed.
  next: (_, { subdomain }) => `/dashboard/${subdomain}/settings/account`,
})

export const x402Page = settingsForm({
  path: '/settings/x402',
  see: 'wallet.read',
  send: 'wallet.write',
  title: 'x402',
  lead: 'Lets programs buy products and pay open checkouts in USDC, directly to your wallet.',
  view: {
    groups: [{ names: ['x402_enabled', 'x402_wallet_address', 'x402_chain'] }],
    labels: {
      x402_enabled: 'Accept x402 payments',
      x402_wallet_address: 'Wallet address',
      x402_chain: 'Chain',
    },
    hints: { x402_chain: 'The blockchain of the wallet. Base Sepolia is for tests, without real money.' },
  },
  operation: 'PATCH /x402_configuration',
  read: ({ call }) => call('GET /x402_configuration'),
  note: ({ unavailable_reason: reason }) =>
    typeof reason === 'string' ? `No checkout offers x402 yet. ${reason}` : null,
  change: ({ call }, body) => call('PATCH /x402_configuration', { body }),
})
