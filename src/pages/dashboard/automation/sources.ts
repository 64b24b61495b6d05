import { html } from 'hono/html'
import { Field } from '../../../contract/declarations/field.ts'
import type { Shown } from '../../../resources/nouns.ts'
import { field, type Problem, summaryOf } from '../../parts/markup.ts'
import { crumbsOf } from '../derived/detail.ts'
import { CHANGE, changedForm, valueOfForm } from '../derived/nested-form.ts'
import { nestedInputs } from '../derived/nested-inputs.ts'
import { inputId } from '../derived/part-words.ts'
import { problemsOf } from '../derived/problem-words.ts'
import { type Shape, shapeOfSchema } from '../derived/shape.ts'
import { framed, goDone } from '../kit/answers.ts'
import { keyField, keyOf, type Refusal, refusalOf, rowsOf } from '../kit/call.ts'
import { ifOpen } from '../kit/page-rights.ts'
import { type DashboardContext, type DashboardPage, type Viewed, view } from '../kit/visit.ts'
import { valueTitle } from '../kit/words.ts'

type Provider = Shown<'event_source_type'>

/** Asks for the provider of the event source first, because the other fields depend on the provider. */
const create: DashboardPage = {
  path: '/event_sources/new',
  see: 'automation.write',
  async get(visit) {
    const provider = await providerOf(visit, visit.query.get('provider'))
    return provider ? formPage(visit, provider, new URLSearchParams(), null) : choosePage(visit)
  },
  async post(visit, _, form) {
    const provider = await providerOf(visit, form.get('provider'))
    if (!provider) return choosePage(visit)
    if (form.has(CHANGE)) return formPage(visit, provider, changedForm(form), null, 422)
    const shape = shapeOfSchema(provider.config_schema)
    const name = form.get('name')?.trim()
    const config = shape ? { config: valueOfForm(visit, shape, 'config', form) as Provider['config_schema'] } : {}
    const body = { provider: provider.provider, event_type: form.get('event_type'), ...(name && { name }), ...config }
    const answer = await visit.call('POST /event_sources', { body, key: keyOf(form) })
    const refusal = refusalOf(answer)
    if (refusal) return formPage(visit, provider, form, refusal, answer.status)
    return goDone(visit, `${visit.base}/event_sources/${answer.body.id}`, 'created')
  },
}

async function providers(visit: DashboardContext): Promise<Provider[]> {
  return (await rowsOf(visit.call('GET /event_sources/discover'))).rows
}

async function providerOf(visit: DashboardContext, given: string | null): Promise<Provider | undefined> {
  return (await providers(visit)).find(({ provider }) => provider === given)
}

async function choosePage(visit: DashboardContext): Promise<Response> {
  const kinds = (await providers(visit)).map(
    ({ provider, name, description }) =>
      html`<li><a class="kind" href="${visit.path}?provider=${provider}"><strong>${name}</strong><span>${description}</span></a></li>`,
  )
  const crumbs = crumbsOf(visit, visit.catalogue.known('event_source'))
  const options = { title: 'Connect an event source', crumbs, lead: 'What should start your tasks?' }
  return framed(visit, options, html`<ul class="kinds">${kinds}</ul>`)
}

async function formPage(
  visit: DashboardContext,
  { provider, name, description, event_types: types, config_schema }: Provider,
  sent: URLSearchParams,
  refusal: Refusal | null,
  status = 200,
): Promise<Response> {
  const { config, ...fields } = visit.catalogue.bodyOf('POST /event_sources')
  const written = new Field({ ...config.spec, writtenJson: config_schema })
  const problems = problemsOf(refusal, { ...fields, config: written }, { labels: { config: 'Configuration' } })
  const shape = shapeOfSchema(config_schema)
  const chosen = sent.get('event_type') ?? types[0]?.name
  const options = types.map(
    (type) =>
      html`<option value="${type.name}"${type.name === chosen ? html` selected` : ''}>${valueTitle(type.name)}: ${type.description}</option>`,
  )
  const content = html`${summaryOf(problems)}<form class="card form" method="post" action="${visit.path}"><input type="hidden" name="csrf" value="${visit.csrf}">${keyField(sent, refusal)}<input type="hidden" name="provider" value="${provider}">
${field({ id: 'field-name', label: html`Name <span class="optional">optional</span>`, problems, input: (described) => html`<input id="field-name" name="name" maxlength="200" value="${sent.get('name') ?? ''}"${described}>` })}
${field({ id: 'field-event_type', label: 'Event', problems, input: (described) => html`<select id="field-event_type" name="event_type"${described}>${options}</select>` })}
${shape ? configPart(shape, sent, problems) : ''}
<div class="form-buttons"><button class="primary">Connect</button><a class="button quiet" href="${visit.base}/event_sources/new">Back</a></div></form>`
  const crumbs = crumbsOf(visit, visit.catalogue.known('event_source'))
  return framed(visit, { title: name, crumbs, lead: description, status }, content)
}

function configPart(shape: Shape, form: URLSearchParams, problems: Problem[]) {
  return html`<fieldset class="structured" id="${inputId('config')}"><legend>Configuration</legend>${nestedInputs(shape, { name: 'config', path: 'config', form, problems, offered: null })}</fieldset>`
}

export const sourcePages: DashboardPage[] = [create]

/** Shows the ingest URL. The URL is a secret, because anyone who knows it can send events. */
async function address(_: DashboardContext, { ingest_url: url }: Viewed<'event_source'>) {
  if (url === null) return null
  return html`<section class="card" aria-labelledby="address"><h2 id="address">Where events are sent</h2><p>Enter this URL in the other system, which must post its events as JSON. Keep it secret: anyone who knows it can start your tasks.</p>
<p class="copy-line" data-controller="copy"><code data-copy-target="source">${url}</code> <button type="button" class="small" hidden data-copy-target="button" data-action="copy#copy">Copy</button></p></section>`
}

export const sourceView = view('event_source', {
  columns: ['name', 'provider', 'status', 'last_event_at', 'created_at'],
  cells: { provider: { title: 'Kind', show: (_, { provider }) => html`${valueTitle(provider)}` } },
  lead: 'Other systems, feeds and schedules that can start your tasks.',
  without: ['ingest_url'],
  sections: [address],
  links: (visit, { id }) =>
    html`${ifOpen(visit, '/tasks/new', html`<a class="button" href="${visit.base}/tasks/new?event_source=${id}">New task for this source</a>`)}`,
})
