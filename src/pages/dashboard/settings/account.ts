import { goTo } from '../kit/answers.ts'
import type { DashboardPage } from '../kit/page.ts'
import { settingsForm } from './form.ts'

/** The first page of settings. */
export const settings: DashboardPage = {
  path: '/settings',
  get: async ({ base }) => goTo(`${base}/settings/account`),
}

/** Name, address, currency and time zone of the account. */
export const account = settingsForm({
  path: '/settings/account',
  title: 'Account',
  lead: 'The name of this shop, its address, and how its amounts and times are shown.',
  view: {
    groups: [{ names: ['name', 'subdomain', 'support_email', 'default_currency', 'timezone', 'description'] }],
    labels: { subdomain: 'Name in addresses', default_currency: 'Currency' },
    hints: {
      subdomain: 'Small letters, digits and hyphens.',
      default_currency: 'Three letters, such as usd. New prices are in it unless they say otherwise.',
      timezone: 'Such as Europe/Paris. The days and months of reports follow it.',
    },
  },
  operation: 'update_account',
  resource: '/account',
  // The address of the dashboard has the subdomain in it.
  next: (_, { subdomain }) => `/dashboard/${subdomain}/settings/account`,
})

/** Payments in the digital dollar. */
export const x402 = settingsForm({
  path: '/settings/x402',
  title: 'x402',
  lead: 'Lets programs pay open checkouts in the digital dollar USDC, straight to your wallet.',
  operation: 'update_x402_configuration',
  resource: '/x402_configuration',
})
