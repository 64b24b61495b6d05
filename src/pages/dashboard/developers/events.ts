import { html } from 'hono/html'
import type { Shown } from '../../../resources/nouns.ts'
import { type Column, dataTable, factCard, type Page } from '../../parts/markup.ts'
import { filterForm, pageQuery } from '../derived/filters.ts'
import { pager } from '../derived/list.ts'
import { narrowed, refusedQuery } from '../derived/saved-views.ts'
import { answeredRows, refusalOf, rowsIn, shown } from '../kit/call.ts'
import { code, moment, rowLink } from '../kit/value.ts'
import { addressOf, type DashboardContext, type DashboardPage, pageAt } from '../kit/visit.ts'
import { fieldTitle, nameOf, shortId } from '../kit/words.ts'
import { deliveriesTable } from './delivery.ts'
import { developerPage } from './tabs.ts'

type LoggedEvent = Shown<'event'>

const PATH = '/developers/events'
const ROWS = 25

export const eventsPage: DashboardPage = {
  path: PATH,
  see: 'developers.read',
  get: async (visit) => {
    const things = visit.catalogue.knownAt('event_log')
    const list = things.list!
    const answer = await visit.call('GET /event_log', { query: pageQuery(visit, list, ROWS) })
    const refusal = refusalOf(answer)
    const { rows, more } = rowsIn(answer)
    const columns: Column<LoggedEvent>[] = [
      { words: 'Event', cell: ({ id, type }) => rowLink(`${visit.base}${PATH}/${id}`, type) },
      { words: 'About', cell: (event) => about(visit, event) },
      { words: 'Time', cell: ({ created_at }) => moment(visit, created_at) },
    ]
    const offers = { type: await typesOf(visit) }
    const form = filterForm(visit, list, { sorts: [], isEmpty: rows.length === 0, offers, texts: ['resource_id'] })
    const { tabs, chips, words } = await narrowed(visit, things)
    const content = html`${tabs}${form}${chips}
${refusedQuery(visit, refusal, things.noun.fields)}
${rows.length > 0 ? dataTable({ caption: 'Events', columns, rows }) : html`<div class="empty"><p>${visit.query.size > 0 ? `No events match${words}.` : 'Nothing has happened yet.'}</p></div>`}
${pager(visit, rows, more)}`
    const lead = 'Everything that happened in this account in the last 30 days.'
    return developerPage(visit, { title: 'Events', lead, status: refusal ? answer.status : 200 }, content)
  },
}

export const eventPage = pageAt({
  path: `${PATH}/:id`,
  see: 'developers.read',
  get: async (visit, { id }) => {
    const one = await shown(visit.call('GET /event_log/{id}', { path: { id } }))
    const { rows } = await answeredRows(visit.call('GET /event_log/{id}/deliveries', { path: { id } }))
    const crumbs = [{ words: 'Events', address: `${visit.base}${PATH}` }]
    const all = html`<a class="button" href="${visit.base}${PATH}?resource_id=${one.resource_id}">All events for this resource</a>`
    const content = html`${factCard('Event', [
      ['About', about(visit, one)],
      ['Time', moment(visit, one.created_at)],
      ['Id', html`<code>${one.id}</code>`],
    ])}
${changes(one)}
<section class="related" aria-labelledby="deliveries"><header><h2 id="deliveries">Deliveries</h2></header>${rows.length > 0 ? deliveriesTable(visit, rows) : html`<p class="none">It was not sent to any endpoint.</p>`}</section>
<section class="related" aria-labelledby="data"><header><h2 id="data">Event data</h2></header>${code(JSON.stringify(one.data, null, 2), 'Data of the event')}</section>`
    return developerPage(visit, { title: one.type, crumbs, actions: all }, content)
  },
})

async function typesOf(visit: DashboardContext): Promise<[string, string][]> {
  const { rows } = await answeredRows(visit.call('GET /events', { query: { limit: 100 } }))
  return rows.map(({ name }) => [name, name])
}

function about(visit: DashboardContext, { data, resource_id }: LoggedEvent): Page {
  const words = data.deleted ? shortId(resource_id) : nameOf({ ...data, id: resource_id })
  const address = data.deleted ? null : addressOf(visit, data.object ?? '', resource_id)
  return address === null ? html`${words}` : html`<a href="${address}">${words}</a>`
}

function changes({ previous_attributes: before, data }: LoggedEvent): Page {
  if (before === null) return html``
  const rows = Object.keys(before)
  const columns: Column<string>[] = [
    { words: 'Field', cell: fieldTitle },
    { words: 'Before', cell: (name) => html`<span class="was">${textOfValue(before[name])}</span>` },
    { words: 'After', cell: (name) => textOfValue(data[name]) },
  ]
  return html`<section class="related" aria-labelledby="changes"><header><h2 id="changes">What changed</h2></header>${dataTable({ caption: 'What changed', columns, rows })}</section>`
}

const MOST_SHOWN = 300

function textOfValue(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'None'
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text
}
