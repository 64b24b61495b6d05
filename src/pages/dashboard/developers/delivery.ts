import { html } from 'hono/html'
import { counted } from '../../../format/counts.ts'
import { formatDuration } from '../../../format/durations.ts'
import type { Shown } from '../../../resources/nouns.ts'
import { type Column, dataTable, factCard, type Page } from '../../parts/markup.ts'
import { choosing } from '../derived/bulk.ts'
import { becomes } from '../derived/chosen.ts'
import { goDone } from '../kit/answers.ts'
import { answeredRows, shown } from '../kit/call.ts'
import { buttonForm } from '../kit/page-rights.ts'
import { badge, code, moment } from '../kit/value.ts'
import { type At, type DashboardContext, pageAt, view } from '../kit/visit.ts'
import { developerPage } from './tabs.ts'

const MOST_ATTEMPTS = 50
const PATH = '/developers/webhooks/:endpoint/deliveries/:id'

export const deliveryPage = pageAt({
  path: PATH,
  see: 'developers.read',
  get: async (visit, at) => {
    const one = await deliveryAt(visit, at)
    const query = { webhook_event: one.id, limit: MOST_ATTEMPTS }
    const { rows } = await answeredRows(visit.call('GET /webhook_attempts', { query }))
    const crumbs = [
      { words: 'Webhooks', address: `${visit.base}/developers/webhooks` },
      { words: 'Endpoint', address: `${visit.base}/developers/webhooks/${one.webhook_endpoint}` },
    ]
    const live = one.status === 'pending' ? html` data-controller="refresh" data-refresh-seconds-value="2"` : ''
    const content = html`<turbo-frame id="attempts" target="_top"${live}>${deliveryFacts(visit, one)}
<section class="related" aria-labelledby="attempts-title"><header><h2 id="attempts-title">${counted(one.attempts, 'attempt')}</h2></header>
${rows.length === 0 ? html`<p class="none">No attempts are stored.</p>` : rows.map((attempt, index) => attemptBlock(visit, attempt, index === 0))}</section></turbo-frame>
<section class="related" aria-labelledby="payload-title"><header><h2 id="payload-title">Request body</h2><a href="${visit.base}/developers/events/${one.event_group}">View the event</a></header>
${code(JSON.stringify(one.payload, null, 2), 'Body of the request')}</section>`
    return developerPage(visit, { title: one.type, crumbs, actions: resend(visit, one, 'primary') }, content)
  },
})

export const resendDelivery = pageAt({
  path: `${PATH}/resend`,
  send: 'developers.write',
  post: async (visit, at) => {
    const one = await deliveryAt(visit, at)
    await shown(visit.call('POST /webhook_events/{id}/resend', { path: { id: one.id } }))
    return goDone(visit, `${visit.base}${pathOf(one)}`, 'resent')
  },
})

function deliveryAt(visit: DashboardContext, { id }: At<typeof PATH>): Promise<Delivery> {
  return shown(visit.call('GET /webhook_events/{id}', { path: { id } }))
}

function deliveryFacts(visit: DashboardContext, one: Delivery): Page {
  const reason = reasonOf(one)
  const facts = factCard('Delivery', [
    ['Status', reason === null ? statusOf(one) : badge(one.status)],
    ['Created', moment(visit, one.created_at)],
    one.delivered_at !== null && ['Delivered', moment(visit, one.delivered_at)],
    one.next_attempt_at !== null && ['Next attempt', moment(visit, one.next_attempt_at)],
    ['Id', html`<code>${one.id}</code>`],
  ])
  return html`${reason === null ? '' : html`<p class="notice ${one.status === 'failed' ? 'bad' : 'wait'}">${reason}</p>`}
${facts}`
}

function attemptBlock(visit: DashboardContext, attempt: Shown<'webhook_attempt'>, open: boolean): Page {
  const { number, response_status: status, error_message: error, duration_ms, response_body, request_headers } = attempt
  const tone = error === null ? 'good' : 'bad'
  const headers = Object.entries(request_headers).map(([name, value]) => `${name}: ${value}`)
  return html`<details class="attempt"${open ? html` open` : ''}>
<summary><span>Attempt ${number}</span> <span class="badge ${tone}">${status ?? 'No response'}</span> <span class="soft">${moment(visit, attempt.created_at)}, ${formatDuration(duration_ms)}</span></summary>
${error === null ? '' : html`<p class="attempt-error">${error}</p>`}
<h3>Headers</h3>${code(headers.join('\n'), `Headers of attempt ${number}`)}
<p class="hint">Signature headers are not shown.</p>
<h3>Response</h3>${response_body === null || response_body === '' ? html`<p class="none">The response was empty.</p>` : code(response_body, `Response to attempt ${number}`)}
</details>`
}

export type Delivery = Shown<'webhook_event'>

function pathOf({ webhook_endpoint, id }: Pick<Delivery, 'webhook_endpoint' | 'id'>): string {
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

function statusOf(delivery: Delivery): Page {
  const reason = reasonOf(delivery)
  return html`${badge(delivery.status)}${reason === null ? '' : html` <span class="reason">${reason}</span>`}`
}

/** Explains why a webhook delivery failed and what to do about it; null if there is nothing to report. */
function reasonOf({ status, response_status: answered, error_message: error }: Delivery): string | null {
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

function resend(visit: DashboardContext, delivery: Delivery, look: string): Page {
  const words = delivery.status === 'pending' ? 'Send now' : 'Resend'
  return buttonForm(visit, { path: `${pathOf(delivery)}/resend`, words, look, about: aboutOf(delivery) })
}
