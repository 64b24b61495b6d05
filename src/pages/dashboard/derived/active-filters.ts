import { html } from 'hono/html'
import { COUNTRY_UNIT } from '../../../contract/declarations/place.ts'
import { countryName, isCountry } from '../../../format/countries.ts'
import { listed } from '../../../format/lists.ts'
import { formatMoment } from '../../../format/moments.ts'
import type { Page } from '../../parts/markup.ts'
import { refusalOf } from '../kit/call.ts'
import { type Op, pathTo } from '../kit/catalogue.ts'
import { icon } from '../kit/controls.ts'
import { kindOf } from '../kit/fields.ts'
import type { DashboardContext } from '../kit/visit.ts'
import { fieldTitle, nameOf, shortened, shortId, valueTitle } from '../kit/words.ts'
import { boundsGiven } from './filters.ts'

export interface ActiveFilter {
  name: string
  title: string
  value: string
}

const NOT_FILTERS = new Set(['limit', 'starting_after', 'sort', 'done'])
const SHOWN = 40

export async function activeFilters(visit: DashboardContext, { query }: Op): Promise<ActiveFilter[]> {
  const names = [...new Set(visit.query.keys())].filter((name) => !NOT_FILTERS.has(name) && isKnown(query, name))
  const all = names.map(async (name) => {
    const values = visit.query.getAll(name).filter((one) => one !== '')
    if (values.length === 0) return []
    const words = await Promise.all(values.map((value) => wordsOf(visit, query, name, value)))
    return [{ name, title: TITLES[name] ?? fieldTitle(name), value: words.join(', ') }]
  })
  const between = boundsGiven(visit, query).map(({ key, name, bound, value }) => ({
    name: key,
    title: `${fieldTitle(name).replace(/ at$/, '')} ${bound === 'gte' ? 'from' : 'before'}`,
    value: Number.isNaN(Date.parse(value)) ? shortened(value, SHOWN) : formatMoment(value, visit.account.timezone),
  }))
  return [...(await Promise.all(all)).flat(), ...between]
}

const TITLES: Record<string, string> = { query: 'Search', from: 'From', until: 'Until' }

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
