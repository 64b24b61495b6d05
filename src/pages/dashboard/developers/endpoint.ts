import { html } from 'hono/html'
import { factCard, type Page } from '../../parts/markup.ts'
import { pager } from '../derived/list.ts'
import { answeredRows, shown } from '../kit/call.ts'
import { badge, moment } from '../kit/value.ts'
import { type DashboardContext, pageAt, withQuery } from '../kit/visit.ts'
import { valueTitle } from '../kit/words.ts'
import { type Delivery, deliveriesTable } from './delivery.ts'
import { developerPage } from './tabs.ts'
import { type Endpoint, failures, WEBHOOKS } from './webhooks.ts'

const ROWS = 25
const STATES: readonly Delivery['status'][] = ['pending', 'delivered', 'failed', 'canceled']

export const endpointPage = pageAt({
  path: `${WEBHOOKS}/:id`,
  see: 'developers.read',
  get: async (visit, { id }) => {
    const one = await shown(visit.call('GET /webhook_endpoints/{id}', { path: { id } }))
    const status = STATES.find((state) => state === visit.query.get('status'))
    const after = visit.query.get('starting_after')
    const query = {
      webhook_endpoint: one.id,
      limit: ROWS,
      ...(status && { status }),
      ...(after && { starting_after: after }),
    }
    const { rows, more } = await answeredRows(visit.call('GET /webhook_events', { query }))
    const content = html`${endpointFacts(visit, one)}
<section class="related" aria-labelledby="deliveries-title"><header><h2 id="deliveries-title">Deliveries</h2></header>
${statusFilter(visit, status)}
<turbo-frame id="deliveries" target="_top"${after ? '' : html` data-controller="refresh" data-refresh-seconds-value="3"`}>${rows.length > 0 ? deliveriesTable(visit, rows) : html`<div class="empty"><p>${status ? 'No deliveries have this status.' : 'Nothing has been sent yet. Each new event will create a delivery.'}</p></div>`}
${pager(visit, rows, more)}</turbo-frame></section>`
    return developerPage(
      visit,
      {
        title: one.url,
        crumbs: [{ words: 'Webhooks', address: `${visit.base}${WEBHOOKS}` }],
        beside: badge(one.status),
        actions: buttons(visit, one),
      },
      content,
    )
  },
})

function buttons({ base }: DashboardContext, { id, status }: Endpoint): Page {
  const address = `${base}/webhook_endpoints/${id}`
  return html`${status === 'active' ? html`<a class="button" href="${address}/test">Send test event</a>` : ''}<a class="button" href="${address}/edit">Edit</a><a class="button danger" href="${address}/delete">Delete</a>`
}

function endpointFacts(visit: DashboardContext, one: Endpoint): Page {
  const events = one.enabled_events.includes('*') ? 'All events' : one.enabled_events.join(', ')
  const facts = factCard('Endpoint', [
    ['Events', events],
    ['Format', valueTitle(one.format)],
    one.description ? ['Description', one.description] : null,
    ['Last delivery', moment(visit, one.last_delivery_at)],
    ['Failures since', failures(one.failure_count)],
    ['Id', html`<code>${one.id}</code>`],
  ])
  const off =
    one.status === 'disabled'
      ? html`<p class="notice bad">This endpoint is disabled, so nothing is sent to it. <a href="${visit.base}/webhook_endpoints/${one.id}/edit">Enable it</a> once it works again; then resend what it missed.</p>`
      : ''
  return html`${off}${facts}`
}

function statusFilter({ path }: DashboardContext, open: string | undefined): Page {
  const links = [undefined, ...STATES].map(
    (state) =>
      html`<li><a class="choice" href="${withQuery(path, { status: state })}"${state === open ? html` aria-current="true"` : ''}>${state ? valueTitle(state) : 'All'}</a></li>`,
  )
  return html`<ul class="choices" aria-label="Deliveries by status">${links}</ul>`
}
