import { html } from 'hono/html'
import type { Shown } from '../../../resources/nouns.ts'
import { type Column, dataTable, type Page } from '../../parts/markup.ts'
import { choosing } from '../derived/bulk.ts'
import { becomes } from '../derived/chosen.ts'
import { buttonForm } from '../kit/page-rights.ts'
import { badge, moment } from '../kit/value.ts'
import { type DashboardContext, view } from '../kit/visit.ts'

export type Delivery = Shown<'webhook_event'>

export function pathOf({ webhook_endpoint, id }: Pick<Delivery, 'webhook_endpoint' | 'id'>): string {
  return `/developers/webhooks/${webhook_endpoint}/deliveries/${id}`
}

export function deliveriesTable(visit: DashboardContext, rows: Delivery[]): Page {
  const columns: Column<Delivery>[] = [
    {
      words: 'Event',
      cell: (row) => html`<a class="row-link event-name" href="${visit.base}${pathOf(row)}">${row.type}</a>`,
    },
    { words: 'Status', cell: (row) => statusOf(row) },
    { words: 'Attempts', cell: ({ attempts }) => String(attempts), end: true },
    { words: 'Created', cell: ({ created_at }) => moment(visit, created_at) },
    { words: 'Next attempt', cell: ({ next_attempt_at }) => moment(visit, next_attempt_at, 'None') },
    { words: 'Resend', acts: true, cell: (row) => resend(visit, row, 'small') },
  ]
  const table = { caption: 'Deliveries', columns, rows, key: ({ id }: Delivery) => id }
  return choosing<Delivery>(visit, visit.catalogue.known('webhook_event'), aboutOf, (choice) =>
    dataTable({ ...table, choice }),
  )
}

export const deliveryView = view('webhook_event', {
  bulk: [{ name: 'resend', button: 'Resend', method: 'post', word: 'resend', says: becomes('sent again') }],
})

function aboutOf({ type, created_at }: Delivery): string {
  return `${type} of ${created_at}`
}

export function statusOf(delivery: Delivery): Page {
  const reason = reasonOf(delivery)
  return html`${badge(delivery.status)}${reason === null ? '' : html` <span class="reason">${reason}</span>`}`
}

/** Explains why a webhook delivery failed and what to do about it; null if there is nothing to report. */
export function reasonOf({ status, response_status: answered, error_message: error }: Delivery): string | null {
  if (status === 'delivered') return null
  if (status === 'canceled') return 'The endpoint was disabled or deleted before it could be sent.'
  if (error === null) return null
  const advice = answered === null ? null : adviceOn(answered)
  return advice === null ? error : `${error} ${advice}`
}

function adviceOn(status: number): string | null {
  if (status >= 300 && status < 400) return 'The URL redirects. Use the final URL for the endpoint instead.'
  if (status === 401 || status === 403) return 'The receiver refused it. Check its signature verification and firewall.'
  if (status === 404) return 'Not found. Check the path of the URL.'
  if (status === 405) return 'The receiver does not accept POST at this URL.'
  if (status === 410) return 'The receiver is permanently gone, so the endpoint was disabled.'
  if (status === 429) return 'The receiver is too busy.'
  if (status >= 500) return 'The receiver failed. Check its log.'
  return null
}

export function resend(visit: DashboardContext, delivery: Delivery, look: string): Page {
  const words = delivery.status === 'pending' ? 'Send now' : 'Resend'
  return buttonForm(visit, { path: `${pathOf(delivery)}/resend`, words, look, about: aboutOf(delivery) })
}
