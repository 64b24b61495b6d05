import { html } from 'hono/html'
import type { Operation } from '../../../contract/declarations/operation.ts'
import type { Context } from '../../../records/context.ts'
import { formatMoment } from '../../../words/moments.ts'
import type { Page } from '../../parts/document.ts'
import type { Values } from '../kit/ask.ts'
import { choicesOf, kindOf } from '../kit/fields.ts'
import { foldedFilters } from '../kit/folded-filters.ts'
import { shortId } from '../kit/labels.ts'
import { momentOfInput } from '../kit/times.ts'
import type { Visit } from '../kit/visit.ts'
import { fieldTitle, valueTitle } from '../kit/words.ts'

type Op = Operation<Context>

/** The field that leads to the thing with an id. */
export const FIND = 'find'

const OWN = new Set(['limit', 'starting_after', 'sort', 'done'])
/** Of all moments, lists are narrowed by the time of creation. */
const TIME = 'created_at'

/** What a list is narrowed by, as the operation takes it, from the address of its page. */
export function narrowing(visit: Visit, { query }: Op): object {
  const given: Values = {}
  for (const name of new Set(visit.query.keys())) {
    const values = visit.query.getAll(name).filter((one) => one !== '')
    const parameter = query[name]
    if (OWN.has(name) || !parameter || values.length === 0 || parameter.form === 'bounds') continue
    given[name] = parameter.form === 'several' ? values : values[0]
  }
  for (const { name, bound, value } of boundsGiven(visit, query))
    given[name] = { ...Object(given[name]), [bound]: value }
  const [from, until] = [visit.query.get('from'), visit.query.get('until')]
  if (query[TIME] && (from || until)) given[TIME] = bounds(visit, from, until)
  return given
}

/** Bounds that other pages lead here with, such as `paid_at[gte]`. */
function boundsGiven(visit: Visit, query: Op['query']) {
  return [...visit.query].flatMap(([key, value]) => {
    const [, name = '', bound = ''] = /^(\w+)\[(gte|lt)\]$/.exec(key) ?? []
    return query[name]?.form === 'bounds' && value !== '' ? [{ key, name, bound, value }] : []
  })
}

function bounds({ account }: Visit, from: string | null, until: string | null): Values {
  return {
    ...(from && { gte: momentOfInput(from, account.timezone) }),
    ...(until && { lt: momentOfInput(dayAfter(until), account.timezone) }),
  }
}

/** `until` a day means to its end. */
function dayAfter(day: string): string {
  const moment = Date.parse(`${day}T00:00:00Z`)
  return Number.isNaN(moment) ? day : new Date(moment + 24 * 60 * 60 * 1000).toISOString().slice(0, 10)
}

interface FilterOptions {
  sorts: string[]
  /** What the thing that is looked for is called. */
  find?: string | undefined
  /** The list shows nothing. */
  isEmpty: boolean
}

/** The form that narrows a list. */
export function filterForm(visit: Visit, operation: Op, { sorts, find, isEmpty }: FilterOptions): Page {
  const { query } = operation
  const given = (name: string) => visit.query.get(name) ?? ''
  const choices = Object.entries(query).filter(([name, { spec }]) => !OWN.has(name) && hasChoices(spec))
  const kept = Object.keys(query).filter((name) => !OWN.has(name) && given(name) !== '' && !shownAsField(query, name))
  const between = boundsGiven(visit, query)
  const isSorted = sorts.length > 1
  const inputs = [
    find &&
      html`<div class="filter wide"><label for="f-find">${find}</label><input type="search" id="f-find" name="${FIND}" value="${given(FIND)}" maxlength="100" autocomplete="off" spellcheck="false"></div>`,
    query.query &&
      html`<div class="filter wide"><label for="f-query">Search</label><input type="search" id="f-query" name="query" value="${given('query')}" maxlength="200"></div>`,
    ...choices.map(([name, { spec }]) => choice(name, valuesOf(spec), given(name))),
    query[TIME] && html`${day('from', 'From', given('from'))}${day('until', 'Until', given('until'))}`,
    isSorted && sorting(sorts, given('sort')),
  ].filter(Boolean)
  if (inputs.length === 0 && kept.length === 0) return html``
  const only = [
    ...kept.map((name) => html`${fieldTitle(name).toLowerCase()} <strong>${shortId(given(name))}</strong>`),
    ...between.map(({ name, bound, value }) => boundWords(visit, name, bound, value)),
  ]
  const shown = [FIND, 'query', ...choices.map(([name]) => name), 'from', 'until', ...(isSorted ? ['sort'] : [])]
  const set = [...shown, ...kept].filter((name) => given(name) !== '').length + between.length
  const form = html`<form class="filters" method="get" role="search" aria-label="Filter the list">
${inputs}${kept.map((name) => html`<input type="hidden" name="${name}" value="${given(name)}">`)}${between.map(({ key, value }) => html`<input type="hidden" name="${key}" value="${value}">`)}
<div class="filter-buttons"><button>Apply</button>${set > 0 ? html`<a class="button quiet" href="${visit.path}">Clear</a>` : ''}</div>
${only.length > 0 ? html`<p class="kept">Only ${only.map((words, index) => html`${index > 0 ? ', ' : ''}${words}`)}</p>` : ''}
</form>`
  return foldedFilters(form, { words: isSorted ? 'Filter and sort' : 'Filter', set, isEmpty })
}

/** `paid from 1 Oct 2026, 00:00`: the end of a day is the beginning of the next. */
function boundWords({ account }: Visit, name: string, bound: string, value: string): Page {
  const words = fieldTitle(name).toLowerCase().replace(/ at$/, '')
  return html`${words} ${bound === 'gte' ? 'from' : 'before'} <strong>${formatMoment(value, account.timezone)}</strong>`
}

function shownAsField(query: Op['query'], name: string): boolean {
  return name === 'query' || hasChoices(query[name]!.spec)
}

function hasChoices(spec: Op['query'][string]['spec']): boolean {
  return choicesOf(spec).length > 0 || kindOf(spec) === 'flag'
}

function valuesOf(spec: Op['query'][string]['spec']): [value: string, words: string][] {
  if (kindOf(spec) === 'flag')
    return [
      ['true', 'Yes'],
      ['false', 'No'],
    ]
  return choicesOf(spec).map((value) => [value, valueTitle(value)])
}

function choice(name: string, values: [value: string, words: string][], given: string): Page {
  const options = values.map(
    ([value, words]) => html`<option value="${value}"${value === given ? html` selected` : ''}>${words}</option>`,
  )
  return html`<div class="filter"><label for="f-${name}">${fieldTitle(name)}</label><select id="f-${name}" name="${name}"><option value="">Any</option>${options}</select></div>`
}

function day(name: string, words: string, given: string): Page {
  return html`<div class="filter"><label for="f-${name}">${words}</label><input type="date" id="f-${name}" name="${name}" value="${given}"></div>`
}

function sorting(sorts: string[], given: string): Page {
  const options = sorts.map(
    (sort) => html`<option value="${sort}"${sort === given ? html` selected` : ''}>${sortWords(sort)}</option>`,
  )
  return html`<div class="filter"><label for="f-sort">Sort by</label><select id="f-sort" name="sort"><option value="">Default order</option>${options}</select></div>`
}

/** `-created_at` → `Created, newest first`. */
function sortWords(sort: string): string {
  const down = sort.startsWith('-')
  const name = down ? sort.slice(1) : sort
  const [high, low] = name.endsWith('_at') ? ['newest', 'oldest'] : ['highest', 'lowest']
  return `${fieldTitle(name)}, ${down ? high : low} first`
}
