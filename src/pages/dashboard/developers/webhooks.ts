import { html } from 'hono/html'
import { counted } from '../../../format/counts.ts'
import { formatNumber } from '../../../format/numbers.ts'
import type { Shown } from '../../../resources/nouns.ts'
import { type Column, dataTable } from '../../parts/markup.ts'
import { rowsOf } from '../kit/call.ts'
import { badge, moment } from '../kit/value.ts'
import type { DashboardPage } from '../kit/visit.ts'
import { developerPage } from './tabs.ts'

export type Endpoint = Shown<'webhook_endpoint'>

export const WEBHOOKS = '/developers/webhooks'

export const webhooks: DashboardPage = {
  path: WEBHOOKS,
  see: 'developers.read',
  get: async (visit) => {
    const { rows } = await rowsOf(visit.call('GET /webhook_endpoints', { query: { limit: 100 } }))
    const columns: Column<Endpoint>[] = [
      {
        words: 'Address',
        cell: ({ id, url }) => html`<a class="row-link" href="${visit.base}${WEBHOOKS}/${id}">${url}</a>`,
      },
      { words: 'Status', cell: ({ status }) => badge(status) },
      { words: 'Events', cell: ({ enabled_events }) => eventsInWords(enabled_events) },
      { words: 'Failures', cell: ({ failure_count }) => failures(failure_count) },
      { words: 'Last delivery', cell: ({ last_delivery_at }) => moment(visit, last_delivery_at) },
    ]
    const add = html`<a class="button primary" href="${visit.base}${WEBHOOKS}/new">Add endpoint</a>`
    const lead = 'Sends signed events to your own servers as they happen, and retries until they are delivered.'
    const content =
      rows.length === 0
        ? html`<div class="empty"><p>There are no endpoints yet.</p><p>${add}</p></div>`
        : html`<turbo-frame id="endpoints" target="_top" data-controller="refresh">${dataTable({ caption: 'Webhook endpoints', columns, rows })}</turbo-frame>`
    return developerPage(visit, { title: 'Webhooks', lead, actions: rows.length === 0 ? undefined : add }, content)
  },
}

/** Returns the event types of an endpoint in words: `All events`, `product.created`, `3 event types`. */
function eventsInWords(names: string[]): string {
  if (names.includes('*')) return 'All events'
  return names.length === 1 ? names[0]! : counted(names.length, 'event type')
}

export function failures(count: number) {
  return count === 0
    ? html`<span class="none">None</span>`
    : html`<span class="badge bad">${formatNumber(count)}</span>`
}
