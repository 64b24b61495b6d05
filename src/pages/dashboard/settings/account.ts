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
  lead: 'How this shop is called, where it is, and how its amounts and times are shown.',
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
