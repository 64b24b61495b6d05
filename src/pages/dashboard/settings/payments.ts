import { html } from 'hono/html'
import { factCard } from '../../parts/facts.ts'
import { shown } from '../kit/ask.ts'
import type { DashboardPage } from '../kit/page.ts'
import { settingsPage } from './tabs.ts'

/** How the account takes payments, and what is missing until it takes real ones. */
export const payments: DashboardPage = {
  path: '/settings/payments',
  get: async (visit) => {
    const {
      provider_title,
      takes_real_money: live,
      reason,
      missing,
      notices_from,
      notices_url,
    } = await shown(visit.ask('GET /payment_settings'))
    const steps =
      missing.length === 0
        ? ''
        : html`<section class="card form" aria-labelledby="missing"><h2 id="missing">To take real payments</h2><ol class="setting-steps">${missing.map((step) => html`<li>${step}</li>`)}</ol></section>`
    const content = html`<p class="notice ${live ? 'good' : 'wait'}">${reason}</p>
${factCard('Payments', [
  ['Provider', provider_title],
  ['Real money', live ? 'Yes' : 'No'],
  ...(notices_url === null ? [] : [[`${notices_from} webhook URL`, html`<code>${notices_url}</code>`] as const]),
])}${steps}`
    const lead = 'The payment provider is a setting of the service and is the same for all live accounts.'
    return settingsPage(visit, { title: 'Payments', lead }, content)
  },
}
