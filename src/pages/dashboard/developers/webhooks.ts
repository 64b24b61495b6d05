import { html } from 'hono/html'
import { counted } from '../../../format/counts.ts'
import { formatNumber } from '../../../format/numbers.ts'
import { sentenceCase } from '../../../format/sentences.ts'
import type { Shown } from '../../../resources/nouns.ts'
import { type Column, dataTable, describedBy, field, type Page, type Problem, summaryOf } from '../../parts/markup.ts'
import { problemsOf } from '../derived/problem-words.ts'
import { answeredRows, formKey, keyField, type RefusedForm, refusedForm } from '../kit/call.ts'
import { copyable } from '../kit/copy-buttons.ts'
import { badge, moment, rowLink } from '../kit/value.ts'
import type { DashboardContext, DashboardPage } from '../kit/visit.ts'
import { pluralTitle } from '../kit/words.ts'
import { developerPage } from './tabs.ts'

export type Endpoint = Shown<'webhook_endpoint'>

export const WEBHOOKS = '/developers/webhooks'

export const webhooksPage: DashboardPage = {
  path: WEBHOOKS,
  see: 'developers.read',
  get: async (visit) => {
    const { rows } = await answeredRows(visit.call('GET /webhook_endpoints', { query: { limit: 100 } }))
    const columns: Column<Endpoint>[] = [
      { words: 'Address', cell: ({ id, url }) => rowLink(`${visit.base}${WEBHOOKS}/${id}`, url) },
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

const FORMATS = [
  ['raw', 'JSON: the event with its resource'],
  ['slack', 'Slack: a short message for a channel'],
  ['discord', 'Discord: a short message for a channel'],
] as const

export const newEndpointPage: DashboardPage = {
  path: `${WEBHOOKS}/new`,
  see: 'developers.write',
  get: (visit) => formPage(visit),
  post: async (visit, _, form) => {
    // If event types are checked, only they are sent, even if “All events” is still selected.
    const all = form.get('all') !== 'some' && !form.has('event')
    const answer = await visit.call('POST /webhook_endpoints', {
      body: {
        url: form.get('url') ?? '',
        enabled_events: all ? ['*'] : form.getAll('event'),
        format: form.get('format') || 'raw',
        description: form.get('description') || null,
      },
      key: formKey(form),
    })
    const refused = refusedForm(form, answer)
    if (refused) return formPage(visit, refused)
    return secretPage(visit, answer.body)
  },
}

async function formPage(visit: DashboardContext, refused: RefusedForm | null = null): Promise<Response> {
  const sent = refused?.sent ?? new URLSearchParams()
  const problems = problemsOf(refused?.refusal ?? null, visit.catalogue.knownAt('webhook_endpoints').create!.body!, {
    labels: { url: 'Address', enabled_events: 'Events' },
  })
  const { rows: types } = await answeredRows(visit.call('GET /events', { query: { limit: 100 } }))
  const content = html`${summaryOf(problems)}
<form class="card form" method="post" action="${visit.path}" data-turbo="false"><input type="hidden" name="csrf" value="${visit.csrf}">${keyField(sent, refused?.refusal)}
${line('url', 'Address', 'Must use HTTPS and be publicly reachable.', problems, (id, described) => html`<input type="url" id="${id}" name="url" maxlength="2048" required placeholder="https://example.com/webhooks" value="${sent.get('url') ?? ''}"${described}>`)}
${events(sent, types, problems)}
${line('format', 'Format', '', problems, (id, described) => html`<select id="${id}" name="format"${described}>${FORMATS.map(([value, words]) => html`<option value="${value}"${sent.get('format') === value ? html` selected` : ''}>${words}</option>`)}</select>`)}
${line('description', html`Description <span class="optional">optional</span>`, 'For your own reference.', problems, (id, described) => html`<input type="text" id="${id}" name="description" maxlength="500" value="${sent.get('description') ?? ''}"${described}>`)}
<div class="form-buttons"><button class="primary">Add endpoint</button><a class="button quiet" href="${visit.base}${WEBHOOKS}">Cancel</a></div></form>`
  const crumbs = [{ words: 'Webhooks', address: `${visit.base}${WEBHOOKS}` }]
  return developerPage(visit, { title: 'Add an endpoint', crumbs, status: refused?.status }, content)
}

function line(
  name: string,
  label: string | Page,
  hint: string,
  problems: Problem[],
  input: (id: string, described: Page) => Page,
): Page {
  const id = `field-${name}`
  return field({ id, label, hint, problems, input: () => input(id, describedBy(id, hint, problems)) })
}

/** Shows the choice between all events, including types added later, and single event types grouped by resource. */
function events(sent: URLSearchParams, types: Shown<'event_type'>[], problems: Problem[]): Page {
  const chosen = new Set(sent.getAll('event'))
  const some = sent.get('all') === 'some'
  const groups = [...Map.groupBy(types, ({ resource }) => resource)].map(
    ([resource, own]) =>
      html`<fieldset><legend>${pluralTitle(resource)}</legend>${own.map(({ name }) => html`<label class="setting-check"><input type="checkbox" name="event" value="${name}"${chosen.has(name) ? html` checked` : ''}>${name}</label>`)}</fieldset>`,
  )
  const problem = problems.find((one) => one.field === 'field-enabled_events')
  return html`<fieldset class="field" id="field-enabled_events"><legend class="label">Events</legend>
${problem ? html`<p class="problem">${sentenceCase(problem.message)}</p>` : ''}
<label class="option"><input type="radio" name="all" value="all"${some ? '' : html` checked`}><span><strong>All events</strong> Including future ones.</span></label>
<label class="option"><input type="radio" name="all" value="some"${some ? html` checked` : ''}><span><strong>Some events</strong> Only the ones you choose.</span></label>
<details class="event-types"${some ? html` open` : ''}><summary>Choose events</summary><div class="groups">${groups}</div></details></fieldset>`
}

function secretPage(visit: DashboardContext, { id, url, secret }: Endpoint): Promise<Response> {
  const crumbs = [{ words: 'Webhooks', address: `${visit.base}${WEBHOOKS}` }]
  const content = html`<div class="notice good" role="status"><p><strong>The endpoint was added.</strong> Copy its signing secret now: it is not shown again.</p></div>
<section class="card" aria-labelledby="secret"><h2 id="secret">Signing secret</h2><p class="hint">Your server uses it to verify that requests to ${url} come from this shop.</p>${copyable(secret ?? '', 'The signing secret')}
<p class="after-copy"><a href="/docs/webhooks">How to check signatures</a></p></section>
<p><a class="button primary" href="${visit.base}${WEBHOOKS}/${id}">Done, I have copied it</a></p>`
  return developerPage(visit, { title: 'Signing secret', crumbs }, content)
}
