import { html } from 'hono/html'
import { formatDuration } from '../../../format/durations.ts'
import { formatNumber } from '../../../format/numbers.ts'
import type { Shown } from '../../../resources/nouns.ts'
import { type Column, dataTable, factCard, type Page } from '../../parts/markup.ts'
import { filterForm, pageQuery } from '../derived/filters.ts'
import { pager } from '../derived/list.ts'
import { narrowed, refusedQuery } from '../derived/saved-views.ts'
import { answeredRows, refusalOf, rowsIn, shown } from '../kit/call.ts'
import { moment, number } from '../kit/value.ts'
import { type DashboardContext, type DashboardPage, pageAt } from '../kit/visit.ts'
import { shortId } from '../kit/words.ts'
import { developerPage } from './tabs.ts'

type ApiRequest = Shown<'api_request'>

const PATH = '/developers/requests'
const ROWS = 50
const OUTCOMES = [
  ['ok', 'Succeeded'],
  ['refused', 'Refused (4xx)'],
  ['failed', 'Failed (5xx)'],
] as const
const TRANSPORTS = [
  ['rest', 'REST'],
  ['mcp', 'Agents'],
] as const

export const requestsPage: DashboardPage = {
  path: PATH,
  see: 'developers.read',
  get: async (visit) => {
    const things = visit.catalogue.knownAt('api_requests')
    const list = things.list!
    const answer = await visit.call('GET /api_requests', { query: pageQuery(visit, list, ROWS) })
    const refusal = refusalOf(answer)
    const { rows, more } = rowsIn(answer)
    const offers = { outcome: OUTCOMES, transport: TRANSPORTS, token_id: await tokensOf(visit) }
    const { tabs, chips, words } = await narrowed(visit, things, offers)
    const content = html`${tabs}${filterForm(visit, list, { sorts: [], isEmpty: rows.length === 0, offers })}${chips}
${refusedQuery(visit, refusal, things.noun.fields)}
<turbo-frame id="requests" target="_top"${visit.query.has('starting_after') ? '' : html` data-controller="refresh"`}>${rows.length > 0 ? dataTable({ caption: 'Requests', columns: columns(visit), rows }) : html`<div class="empty"><p>${visit.query.size > 0 ? `No requests match${words}.` : 'No requests yet.'}</p></div>`}
${pager(visit, rows, more)}</turbo-frame>`
    const lead = 'Recent requests from programs and agents, kept for 7 days. Bodies and queries are never stored.'
    return developerPage(visit, { title: 'Requests', lead, status: refusal ? answer.status : 200 }, content)
  },
}

export const requestPage = pageAt({
  path: `${PATH}/:id`,
  see: 'developers.read',
  get: async (visit, { id }) => {
    const one = await shown(visit.call('GET /api_requests/{id}', { path: { id } }))
    const facts = factCard('Request', [
      ['Status', statusBadge(one)],
      ['Operation', one.operation ?? 'No operation has this path and method'],
      ['Time', moment(visit, one.created_at)],
      ['Duration', formatDuration(one.duration_ms)],
      ['By', callerOf(one)],
      one.error_message ? ['Error', one.error_message] : null,
      one.parameters.length > 0 && ['Parameters', one.parameters.join(', ')],
      ['Request id', html`<code>${one.id}</code>`],
      one.left_out > 0 && ['Not logged', `${formatNumber(one.left_out)} more in the same second`],
    ])
    const help = one.error_code
      ? html`<p><a href="/docs/errors/${one.error_code}">What ${one.error_code} means</a></p>`
      : ''
    const content = html`${facts}${help}`
    const crumbs = [{ words: 'Requests', address: `${visit.base}${PATH}` }]
    return developerPage(visit, { title: `${one.method} ${one.path}`, crumbs }, content)
  },
})

function columns(visit: DashboardContext): Column<ApiRequest>[] {
  return [
    {
      words: 'Request',
      cell: ({ id, method, path }) =>
        html`<span class="method">${method}</span><a class="row-link" href="${visit.base}${PATH}/${id}">${path}</a>`,
    },
    { words: 'Status', cell: statusBadge },
    { words: 'By', cell: callerOf },
    { words: 'Duration', cell: ({ duration_ms }) => number(formatDuration(duration_ms)), end: true },
    { words: 'Time', cell: ({ created_at }) => moment(visit, created_at) },
  ]
}

function statusBadge({ status: answered, error_code }: ApiRequest): Page {
  const tone = answered < 400 ? 'good' : answered < 500 ? 'wait' : 'bad'
  return html`<span class="badge ${tone}">${answered}</span>${error_code ? html` <span class="soft">${error_code}</span>` : ''}`
}

function callerOf({ token_name, user_name, token_id }: ApiRequest): string {
  const name = token_name ?? shortId(token_id)
  return user_name ? `${name}, for ${user_name}` : name
}

async function tokensOf(visit: DashboardContext): Promise<[string, string][]> {
  const { rows } = await answeredRows(visit.call('GET /api_tokens', { query: { limit: 100 } }))
  return rows.map(({ id, name }) => [id, name])
}
