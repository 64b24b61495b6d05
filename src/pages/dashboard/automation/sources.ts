import { html } from 'hono/html'
import { Field, type Fields } from '../../../contract/declarations/field.ts'
import type { Shown } from '../../../resources/nouns.ts'
import type { BodyFields } from '../../../resources/operation-types.ts'
import { shapeOfSchema } from '../derived/control-kind.ts'
import { answeredRows } from '../kit/call.ts'
import { ifOpen } from '../kit/page-rights.ts'
import { type DashboardContext, type FormKind, type Viewed, view } from '../kit/visit.ts'
import { valueTitle } from '../kit/words.ts'

type Provider = Shown<'event_source_type'>

/** Returns the providers, with the fields that each needs. */
async function providers(visit: DashboardContext): Promise<FormKind[]> {
  const { rows } = await answeredRows(visit.call('GET /event_sources/discover'))
  return rows.map((one) => ({
    ...{ value: one.provider, title: one.name, words: one.description },
    fields: fieldsOf(visit.catalogue.bodyOf('POST /event_sources'), one),
  }))
}

function fieldsOf({ name, event_type, config }: BodyFields<'POST /event_sources'>, provider: Provider): Fields {
  const { event_types: types, config_schema: writtenJson } = provider
  const names = types.map((type) => type.name)
  // The sentences after the first one describe the data of an event, for programs.
  const description = types.map((type) => type.description.replace(/\.( .*)?$/s, '')).join('. ')
  const fields = {
    name,
    event_type: new Field({ ...event_type.spec, description, fallback: types[0]?.name, json: { enum: names } }),
  }
  return shapeOfSchema(writtenJson) ? { ...fields, config: new Field({ ...config.spec, writtenJson }) } : fields
}

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
  form: {
    groups: [],
    kinds: { field: 'provider', parameter: 'provider', lead: 'What should start your tasks?', offered: providers },
    labels: { event_type: 'Event' },
    parts: { config: { label: 'Configuration' } },
    create: 'Connect',
  },
  sections: [address],
  links: (visit, { id }) =>
    html`${ifOpen(visit, '/tasks/new', html`<a class="button" href="${visit.base}/tasks/new?event_source=${id}">New task for this source</a>`)}`,
})
