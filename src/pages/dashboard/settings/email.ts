import { html } from 'hono/html'
import { formatNumber } from '../../../format/numbers.ts'
import { mailSettings } from '../../../resources/dashboard/mail-settings.ts'
import { factCard } from '../../parts/markup.ts'
import type { DashboardPage } from '../kit/visit.ts'
import { settingsPage } from './tabs.ts'

export const emailPage: DashboardPage = {
  path: '/settings/email',
  see: 'settings.read',
  get: async (visit) => {
    const { from, reply_to, carrier, reason, sent, queued, failed } = await visit.read(mailSettings)
    const count = (value: number) => html`<span class="number">${formatNumber(value)}</span>`
    const replies = reply_to ?? html`The sender. <a href="${visit.base}/settings/account">Set a support address</a>`
    const content = html`<p class="notice ${carrier === 'server' ? 'good' : 'wait'}">${reason}</p>
${factCard('E-mail', [
  ['Sender', html`<code>${from}</code>`],
  ['Reply-to', replies],
])}
<h2 class="above-card">The last 30 days</h2>
${factCard('E-mails of the last 30 days', [
  ['Sent', count(sent)],
  ['Waiting', count(queued)],
  ['Failed', failed === 0 ? count(0) : html`<span class="badge bad">${formatNumber(failed)}</span>`],
])}`
    const lead = 'Receipts, confirmations and e-mails you send yourself.'
    return settingsPage(visit, { title: 'E-mail', lead }, content)
  },
}
