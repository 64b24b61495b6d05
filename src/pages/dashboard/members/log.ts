import { html } from 'hono/html'
import { formatMoment } from '../../../format/moments.ts'
import { inWords } from '../../../format/names.ts'
import { sentenceCase } from '../../../format/sentences.ts'
import { factCard, type Page } from '../../parts/markup.ts'
import { addressOf, type DashboardContext, type Viewed, view } from '../kit/visit.ts'
import { calledOf, fieldTitle, shortId, title, valueTitle } from '../kit/words.ts'

type Entry = Viewed<'log_entry'>

export const logView = view('log_entry', {
  columns: ['created_at', 'who', 'did', 'resource_id', 'fields'],
  cells: {
    created_at: {
      title: 'When',
      show: (visit, entry) => html`<span class="log-line">${createdAt(visit, entry)}</span>`,
    },
    who: { title: 'Who', show: (_, entry) => who(entry) },
    did: { title: 'What', show: (visit, entry) => did(visit, entry) },
    resource_id: { title: 'Where', show: (visit, entry) => changedThing(visit, entry) },
    fields: { title: 'Fields', show: (_, entry) => fieldNames(entry) },
  },
  above: [
    async (visit, entry) =>
      factCard('What happened', [
        ['When', createdAt(visit, entry)],
        ['Who', who(entry)],
        ['What', did(visit, entry)],
        ['Where', changedThing(visit, entry)],
        entry.fields.length > 0 && ['Fields', fieldNames(entry, entry.fields.length)],
        entry.operation !== null && ['What changed', countsOf(entry).join(', ') || NONE],
      ]),
  ],
  without: ['fields', 'changes', 'user_name', 'caller_name', 'approver_name', 'plan'],
  main: ['task_run'],
  labels: {
    operation: 'Operation of the API',
    resource_id: 'ID of what changed',
    user_id: 'ID of the person',
    caller_kind: 'Made by way of',
    caller_id: 'ID of that',
    approver_id: 'ID of who applied the plan',
  },
  lead: 'Who changed what: people, agents, plans, and the service itself. Kept for 12 months; what buyers do is in the lists of orders and customers.',
  title: ({ operation, changes, kind }) =>
    operation ? doneBy(operation) : (countsOf({ changes })[0] ?? valueTitle(kind)),
})

function who({ user_name, caller_name, caller_kind, approver_name }: Entry): Page {
  const name =
    user_name ?? (caller_kind === 'job' || caller_kind === 'provider' ? 'The service' : 'Somebody who has left')
  return html`<span class="log-line">${name}</span>${caller_name === null ? '' : html`<span class="person-address">by ${caller_name}</span>`}${approver_name === null ? '' : html`<span class="person-address">applied by ${approver_name}</span>`}`
}

function did(visit: DashboardContext, { operation, changes, plan, kind }: Entry): Page {
  const counts = countsOf({ changes })
  const words = operation ? doneBy(operation) : counts.length > 0 ? counts.join(', ') : valueTitle(kind)
  return html`${words}${plan === null ? '' : html`<a class="person-address" href="${visit.base}/plans/${plan}">by a plan</a>`}`
}

function countsOf({ changes }: Pick<Entry, 'changes'>): string[] {
  return Object.entries(changes).map(([type, count]) =>
    count === 1 ? eventWords(type) : `${count} × ${eventWords(type)}`,
  )
}

function createdAt({ account }: DashboardContext, { created_at }: Entry): string {
  return formatMoment(created_at, account.timezone)
}

/** Returns the label of an operation: `update_price_variant` becomes `Update price`. */
function doneBy(operation: string): string {
  const [verb = '', ...rest] = operation.split('_')
  const object = rest.join('_')
  return title(object === '' ? verb : `${verb} ${calledOf(object)}`)
}

/** Returns the label of an event type: `social_account.updated` becomes `Social account changed`. */
function eventWords(eventType: string): string {
  const [object = '', ...kind] = eventType.split('.')
  return sentenceCase(`${calledOf(object)} ${kind.join(' ') === 'updated' ? 'changed' : inWords(kind.join(' '))}`)
}

function changedThing(visit: DashboardContext, { resource_id: id }: Entry): Page {
  if (id === null) return NONE
  const noun = visit.catalogue.all().find((one) => one.noun.isId(id))?.noun.name
  const address = noun === undefined ? null : addressOf(visit, noun, id)
  const words =
    noun === undefined
      ? html`<code>${shortId(id)}</code>`
      : html`<span title="${id}">${sentenceCase(calledOf(noun))}</span>`
  return address === null ? words : html`<a href="${address}">${words}</a>`
}

const MOST_FIELDS = 4

function fieldNames({ fields }: Entry, most = MOST_FIELDS): Page {
  if (fields.length === 0) return NONE
  const [shown, more] = [fields.slice(0, most), fields.length - most]
  return html`${shown.map(fieldTitle).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

const NONE = html`<span class="none">–</span>`
