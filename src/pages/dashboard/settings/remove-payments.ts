import { html } from 'hono/html'
import { missingResource } from '../../../contract/declarations/errors.ts'
import { counted } from '../../../format/counts.ts'
import type { ValueOf } from '../../../records/dashboard-read.ts'
import { paymentSettings } from '../../../resources/dashboard/payment-settings/settings.ts'
import type { Page } from '../../parts/markup.ts'
import { goDone, goFailed } from '../kit/answers.ts'
import { refusalOf } from '../kit/call.ts'
import { type DashboardContext, pageAt } from '../kit/visit.ts'
import { settingsPage } from './tabs.ts'

type Connection = ValueOf<typeof paymentSettings>['connections'][number]

const PATH = '/settings/payments'

/** Removes a payment connection in two steps: the first stops sales and renewals, the second deletes the connection's key. */
export const removePaymentsPage = pageAt({
  path: `${PATH}/:id/remove`,
  see: 'settings.write',
  get: async (visit, { id }) => page(visit, await connectionOf(visit, id)),
  post: async (visit, { id }) => {
    const { status } = await connectionOf(visit, id)
    const answer =
      status === 'removed'
        ? await visit.call('DELETE /payment_settings/connections/{id}', { path: { id } })
        : await visit.call('POST /payment_settings/connections/{id}/remove', { path: { id } })
    const refusal = refusalOf(answer)
    if (refusal) return goFailed(visit, `${visit.base}${PATH}/${id}/remove`, refusal.message)
    return goDone(visit, `${visit.base}${PATH}`, status === 'removed' ? 'deleted' : 'saved')
  },
})

async function connectionOf(visit: DashboardContext, id: string): Promise<Connection> {
  const { connections } = await visit.read(paymentSettings)
  const connection = connections.find((one) => one.id === id)
  if (!connection) throw missingResource('payment_connection')
  return connection
}

function page(visit: DashboardContext, connection: Connection): Promise<Response> {
  const { provider_title, name, status } = connection
  const isRemoved = status === 'removed'
  const title = isRemoved ? `Delete the key of ${name}?` : `Remove ${provider_title}: ${name}?`
  const sentences = isRemoved ? consequencesOfDeletion(connection) : consequencesOfRemoval(connection)
  const button = isRemoved
    ? html`<button class="danger-solid">Delete key and webhook</button>`
    : html`<button class="danger">Remove</button>`
  const content = html`<form class="card form" method="post" action="${visit.path}"><input type="hidden" name="csrf" value="${visit.csrf}">
${list(sentences)}
<div class="form-buttons">${button}<a class="button quiet" href="${visit.base}${PATH}">Cancel</a></div></form>`
  const crumbs = [{ words: 'Payments', address: `${visit.base}${PATH}` }]
  return settingsPage(visit, { title, crumbs }, content)
}

function list(sentences: readonly string[]): Page {
  return html`<ul class="setting-steps">${sentences.map((sentence) => html`<li>${sentence}</li>`)}</ul>`
}

function consequencesOfRemoval({ status, subscriptions, provider_title }: Connection): string[] {
  const first = status === 'current' ? ['Buyers cannot pay by card until you connect another account.'] : []
  const paused =
    subscriptions === 0
      ? 'No subscription is charged by it.'
      : `Charges of ${counted(subscriptions, 'subscription')} wait until you connect the same account again, or their buyers enter another card. They get no e-mail about a failed card.`
  return [
    ...first,
    paused,
    'Refunds of earlier sales and notices of disputes go on.',
    `The key stays stored, and the webhook stays at ${provider_title}. You delete both in a second step.`,
  ]
}

function consequencesOfDeletion({ subscriptions, refunds, disputes, payments, provider_title }: Connection): string[] {
  const stops = (count: number, one: string, words: string) => (count === 0 ? [] : [`${counted(count, one)} ${words}`])
  return [
    `Earlier sales can only be refunded at ${provider_title} itself, and refunds and disputes there are no longer shown here.`,
    ...stops(refunds, 'refund', `not settled yet: what becomes of it is shown at ${provider_title} alone.`),
    ...stops(disputes, 'disputed order', `stays disputed here, however the bank decides.`),
    ...stops(payments, 'payment', 'under way: it is given up, also if the buyer still pays.'),
    ...stops(subscriptions, 'subscription', 'is charged again only once its buyer has entered another card.'),
    'This cannot be undone.',
  ]
}
