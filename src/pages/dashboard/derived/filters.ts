import { html } from 'hono/html'
import { COUNTRY_UNIT } from '../../../contract/declarations/place.ts'
import { countryName, isCountry } from '../../../format/countries.ts'
import { listed } from '../../../format/lists.ts'
import { formatMoment } from '../../../format/moments.ts'
import { optionTags, type Page } from '../../parts/markup.ts'
import { refusalOf, type Values } from '../kit/call.ts'
import { type Op, pathTo } from '../kit/catalogue.ts'
import { choicesOf, kindOf } from '../kit/fields.ts'
import { icon } from '../kit/icons.ts'
import { dayAfter, momentOfInput } from '../kit/times.ts'
import type { DashboardContext, Offer, View } from '../kit/visit.ts'
import { fieldTitle, nameOf, shortened, shortId, valueTitle } from '../kit/words.ts'

const NOT_FILTERS = new Set(['limit', 'starting_after', 'sort', 'done'])
/** The only time field with a filter in the form. Only links from other pages filter by other times. */
const TIME = 'created_at'

/** Returns the filters in the page's query as query parameters of the list operation. */
export function narrowing(visit: DashboardContext, { query }: Op): object {
  const given: Values = {}
  for (const name of new Set(visit.query.keys())) {
    const values = visit.query.getAll(name).filter((one) => one !== '')
    const parameter = Object.hasOwn(query, name) ? query[name] : undefined
    if (NOT_FILTERS.has(name) || !parameter || values.length === 0 || parameter.form === 'bounds') continue
    given[name] = parameter.form === 'several' ? values : values[0]
  }
  for (const { name, bound, value } of boundsGiven(visit, query))
    given[name] = { ...Object(given[name]), [bound]: value }
  const [from, until] = [visit.query.get('from'), visit.query.get('until')]
  if (query[TIME] && (from || until)) given[TIME] = boundsOf(visit.account, from, until)
  return given
}

/** Returns the query of a page of the list, of `limit` rows. */
export function pageQuery(visit: DashboardContext, list: Op, limit: number): object {
  const after = visit.query.get('starting_after')
  return { ...narrowing(visit, list), limit, ...(after && { starting_after: after }) }
}

/** Returns the bounds in the page's query, such as `paid_at[gte]`. Links from other pages set them. */
function boundsGiven(visit: DashboardContext, query: Op['query']) {
  return [...visit.query].flatMap(([key, value]) => {
    const [, name = '', bound = ''] = /^(\w+)\[(gte|lt)\]$/.exec(key) ?? []
    return query[name]?.form === 'bounds' && value !== '' ? [{ key, name, bound, value }] : []
  })
}

function boundsOf(
  { timezone }: Pick<DashboardContext['account'], 'timezone'>,
  from: string | null,
  until: string | null,
) {
  return {
    ...(from && { gte: momentOfInput(from, timezone) }),
    ...(until && { lt: momentOfInput(dayAfter(until), timezone) }),
  }
}

interface FilterOptions {
  sorts: string[]
  search?: string | undefined
  isEmpty: boolean
  /** Whether column headings sort the list. The sort field is then only for narrow screens, which hide the headings. */
  headsSort?: boolean
  offers?: Offers
  /** Filters by texts that people type, such as ids. */
  texts?: readonly string[]
}

export type Offers = Readonly<Record<string, readonly Offer[]>>

/** Returns the options of filters by other resources of the account, by filter name, without filters that have no options. */
export async function offersOf(visit: DashboardContext, { query }: Op, view: View | undefined): Promise<Offers> {
  const asked = Object.entries(view?.offers ?? {}).filter(([name]) => query[name] !== undefined)
  const all = await Promise.all(asked.map(async ([name, offer]) => [name, await offer(visit)] as const))
  const chosen = (name: string) => visit.query.get(name) ?? ''
  return Object.fromEntries(
    all
      .filter(([, offers]) => offers.length > 0)
      .map(([name, offers]) => {
        const isOffered = chosen(name) === '' || offers.some(([value]) => value === chosen(name))
        return [name, isOffered ? offers : [[chosen(name), chosen(name)] as const, ...offers]]
      }),
  )
}

export function filterForm(visit: DashboardContext, operation: Op, options: FilterOptions): Page {
  const { sorts, search, isEmpty, headsSort = false, offers = {}, texts = [] } = options
  const { query } = operation
  const given = (name: string) => visit.query.get(name) ?? ''
  const choices = Object.keys(query)
    .filter((name) => !NOT_FILTERS.has(name))
    .flatMap((name) => {
      const values = offers[name] ?? valuesOf(query[name]!.spec)
      return values.length > 0 ? [{ name, values }] : []
    })
  const shown = ['query', ...texts, ...choices.map(({ name }) => name)]
  const kept = Object.keys(query).filter(
    (name) => !NOT_FILTERS.has(name) && given(name) !== '' && !shown.includes(name),
  )
  const between = boundsGiven(visit, query)
  const isSorted = sorts.length > 1
  const inputs = [
    query.query &&
      html`<div class="filter wide"><label for="f-query">Search</label><input type="search" id="f-query" name="query" value="${given('query')}" maxlength="200"${search ? html` placeholder="${search}"` : ''} autocomplete="off" spellcheck="false"></div>`,
    ...choices.map(({ name, values }) => choiceFilter(name, values, given(name))),
    ...texts.map((name) => textFilter(name, given(name))),
    query[TIME] && html`${dayFilter('from', 'From', given('from'))}${dayFilter('until', 'Until', given('until'))}`,
    isSorted && sortSelect(sorts, given('sort'), headsSort),
  ].filter(Boolean)
  if (inputs.length === 0 && kept.length === 0) return html``
  const set = [...shown, 'from', 'until', ...(isSorted ? ['sort'] : []), ...kept].filter(
    (name) => given(name) !== '',
  ).length
  const form = html`<form class="filters" method="get" action="${visit.path}" role="search" aria-label="Filter the list" data-list-target="form" data-action="input->list#typed change->list#changed submit->list#apply">
${inputs}${kept.map((name) => html`<input type="hidden" name="${name}" value="${given(name)}">`)}${between.map(({ key, value }) => html`<input type="hidden" name="${key}" value="${value}">`)}
<div class="filter-buttons"><button data-list-target="button">Apply</button></div>
</form>`
  return foldedFilters(form, { words: isSorted ? 'Filter and sort' : 'Filter', set, isEmpty })
}

function valuesOf(spec: Op['query'][string]['spec']): Offer[] {
  if (kindOf(spec) === 'flag')
    return [
      ['true', 'Yes'],
      ['false', 'No'],
    ]
  return choicesOf(spec).map((value) => [value, valueTitle(value)])
}

function choiceFilter(name: string, values: readonly Offer[], given: string): Page {
  return html`<div class="filter"><label for="f-${name}">${titleOf(name)}</label><select id="f-${name}" name="${name}"><option value="">Any</option>${optionTags(values, given)}</select></div>`
}

function textFilter(name: string, given: string): Page {
  return html`<div class="filter wide"><label for="f-${name}">${titleOf(name)}</label><input type="search" id="f-${name}" name="${name}" maxlength="200" spellcheck="false" value="${given}"></div>`
}

function dayFilter(name: string, words: string, given: string): Page {
  return html`<div class="filter"><label for="f-${name}">${words}</label><input type="date" id="f-${name}" name="${name}" value="${given}"></div>`
}

function sortSelect(sorts: string[], given: string, isNarrowOnly: boolean): Page {
  const options = optionTags(
    sorts.map((sort) => [sort, sortWords(sort)]),
    given,
  )
  return html`<div class="filter${isNarrowOnly ? ' narrow-only' : ''}"><label for="f-sort">Sort by</label><select id="f-sort" name="sort"><option value="">Default order</option>${options}</select></div>`
}

/** Returns the label of a sort order: `-created_at` becomes `Created, newest first`. */
function sortWords(sort: string): string {
  const down = sort.startsWith('-')
  const name = down ? sort.slice(1) : sort
  const [high, low] = name.endsWith('_at') ? ['newest', 'oldest'] : ['highest', 'lowest']
  return `${fieldTitle(name)}, ${down ? high : low} first`
}

export interface ActiveFilter {
  name: string
  title: string
  value: string
}

const SHOWN = 40

export async function activeFilters(
  visit: DashboardContext,
  { query }: Op,
  offers: Offers = {},
): Promise<ActiveFilter[]> {
  const names = [...new Set(visit.query.keys())].filter((name) => !NOT_FILTERS.has(name) && isKnown(query, name))
  const all = names.map(async (name) => {
    const values = visit.query.getAll(name).filter((one) => one !== '')
    if (values.length === 0) return []
    const offered = new Map(offers[name])
    const words = await Promise.all(values.map((value) => offered.get(value) ?? wordsOf(visit, query, name, value)))
    return [{ name, title: titleOf(name), value: words.join(', ') }]
  })
  const between = boundsGiven(visit, query).map(({ key, name, bound, value }) => ({
    name: key,
    title: `${fieldTitle(name).replace(/ at$/, '')} ${bound === 'gte' ? 'from' : 'before'}`,
    value: Number.isNaN(Date.parse(value)) ? shortened(value, SHOWN) : formatMoment(value, visit.account.timezone),
  }))
  return [...(await Promise.all(all)).flat(), ...between]
}

const TITLES: Record<string, string> = { query: 'Search', from: 'From', until: 'Until', token_id: 'Token' }

function titleOf(name: string): string {
  return TITLES[name] ?? fieldTitle(name)
}

function isKnown(query: Op['query'], name: string): boolean {
  return name === 'from' || name === 'until' ? query.created_at !== undefined : Object.hasOwn(query, name)
}

async function wordsOf(visit: DashboardContext, query: Op['query'], name: string, value: string): Promise<string> {
  const spec = query[name]?.spec
  if (!spec || name === 'query') return shortened(value, SHOWN)
  if (spec.relation) return nameOfThing(visit, spec.relation.noun, value)
  if (kindOf(spec) === 'flag') return value === 'true' ? 'Yes' : 'No'
  if (kindOf(spec) === 'choice') return valueTitle(value)
  if (spec.unit === COUNTRY_UNIT) return isCountry(value) ? countryName(value) : value
  return visit.catalogue.of(name)?.retrieve ? nameOfThing(visit, name, value) : shortened(value, SHOWN)
}

async function nameOfThing(visit: DashboardContext, noun: string, id: string): Promise<string> {
  const retrieve = visit.catalogue.of(noun)?.retrieve
  if (!retrieve) return shortId(id)
  const answer = await visit.callAny('GET', pathTo(retrieve, id))
  return refusalOf(answer) ? shortId(id) : shortened(nameOf(answer.body), SHOWN)
}

function without({ path, query }: DashboardContext, name: string): string {
  const kept = [...query].filter(
    ([one, value]) => one !== name && one !== 'starting_after' && one !== 'done' && value !== '',
  )
  const text = new URLSearchParams(kept).toString()
  return text === '' ? path : `${path}?${text}`
}

/** Shows the active filters with links that remove them. `more` follows on the same line. */
export function filterChips(
  visit: DashboardContext,
  active: readonly ActiveFilter[],
  more: Page | string,
): Page | string {
  if (active.length === 0 && more === '') return ''
  const chips = active.map(
    ({ name, title, value }) =>
      html`<li><a class="chip" href="${without(visit, name)}"><span class="unseen">Remove the filter </span>${title}: <strong>${value}</strong>${icon('close')}</a></li>`,
  )
  const list =
    active.length === 0
      ? ''
      : html`<ul class="chips" aria-label="Filters that are set">${chips}<li><a class="button quiet" href="${clearedAddress(visit)}">Clear</a></li></ul>`
  return html`<div class="chips-line">${list}${more}</div>`
}

/** Returns the list's address without filters, in the same sort order. */
export function clearedAddress({ path, query }: DashboardContext): string {
  const sort = query.get('sort')
  return sort ? `${path}?sort=${encodeURIComponent(sort)}` : path
}

/** Returns the filters as part of a sentence: `status “Active” and search “ink”`. */
export function inOneSentence(active: readonly ActiveFilter[]): string {
  return listed(active.map(({ title, value }) => `${title.toLowerCase()} “${value}”`))
}

interface FoldOptions {
  words: string
  set: number
  /** Whether the list has no rows. Active filters may be the reason, so the filter form is then unfolded. */
  isEmpty: boolean
}

/** Renders the filter form. It is folded on narrow screens, so that the list's rows start on the first screen. */
export function foldedFilters(form: Page, { words, set, isEmpty }: FoldOptions): Page {
  const count = set > 0 ? html` <span class="badge">${set} set</span>` : ''
  return html`<details class="filters-fold folds"${set > 0 && isEmpty ? html` open` : ''}><summary><span data-list-part="fold">${words}${count}</span></summary>
${form}</details>`
}
