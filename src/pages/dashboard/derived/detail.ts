import { html } from 'hono/html'
import type { Noun } from '../../../contract/declarations/noun.ts'
import { counted } from '../../../format/counts.ts'
import { type Fact, factList, type Page } from '../../parts/markup.ts'
import { type Crumb, framed } from '../kit/answers.ts'
import { refusalOf, rowsIn, shown, type Values } from '../kit/call.ts'
import { type Manageable, pathTo } from '../kit/catalogue.ts'
import { kindOf } from '../kit/fields.ts'
import { badge, code, shownValue } from '../kit/value.ts'
import { type ActionView, type At, type DashboardContext, mayCall, type View, withQuery } from '../kit/visit.ts'
import { fieldTitle, nameOf, pluralTitle, valueTitle } from '../kit/words.ts'
import { columnsOf, expandedBy, nounTable } from './table.ts'

const ROWS = 5

/** Fields that the page shows in its heading and buttons instead of the table. */
const APART = new Set(['object', 'allowed_actions'])

const FOLDED = new Set(['slug', 'updated_at', 'source', 'indexable'])

/** Fields that only software clients need. The section for developers shows them. */
const OF_PROGRAMS = new Set([
  ...['id', 'metadata', 'checksum', 'source_type', 'source_job_id'],
  ...['upload_url', 'upload_headers', 'processor_reference'],
])

/** The maximum number of references on a page whose names are looked up. */
const MOST_NAMED = 20

/** Shows a resource's page. `refused` is the error of a form or button on the page. */
export async function detailPage(
  visit: DashboardContext,
  things: Manageable,
  { id = '' }: At,
  refused?: { message: string; status: number },
): Promise<Response> {
  const view = visit.catalogue.viewOf(things.noun.name)
  const values = await one(visit, things, id)
  const above = await Promise.all((view?.above ?? []).map((section) => section(visit, values)))
  const sections = await Promise.all((view?.sections ?? []).map((section) => section(visit, values)))
  const related = await relatedLists(visit, things.noun, values, view?.related)
  const content = html`${refused ? html`<p class="notice bad" role="alert">${refused.message}</p>` : ''}${above.filter((section) => section !== null)}${fieldList(visit, things, await withNames(visit, things, values), view)}
${sections.filter((section) => section !== null)}${related}
<details class="raw"><summary>For developers</summary>${typeof values.id === 'string' ? factList('fields', [['ID', html`<code>${values.id}</code>`]]) : ''}${code(JSON.stringify(values, null, 2), 'API response')}</details>`
  const options = {
    title: called(visit, things, values),
    crumbs: crumbsOf(visit, things),
    beside: typeof values.status === 'string' ? badge(view?.state?.(values) ?? values.status) : undefined,
    actions: html`${view?.links?.(visit, values) ?? ''}${actions(visit, things, values, view)}`,
  }
  return framed(visit, { ...options, status: refused?.status }, content)
}

/** Retrieves a resource with its expandable references expanded. */
export async function one(visit: DashboardContext, { noun, retrieve }: Manageable, id: string): Promise<Values> {
  const own = Object.entries(noun.fields)
    .filter(([, { spec }]) => spec.relation?.expandable && spec.relation.kind !== 'collection')
    .map(([name]) => name)
  const expand = [...new Set([...own, ...(visit.catalogue.viewOf(noun.name)?.expand ?? [])])]
  const path = pathTo(retrieve!, id)
  return shown(visit.callAny('GET', path, { query: expand.length > 0 ? { expand } : {} }))
}

/** Adds the names of resources that the shown resource refers to by id, if the person may see them. */
async function withNames(visit: DashboardContext, { noun }: Manageable, values: Values): Promise<Values> {
  const byName = Object.entries(noun.fields).flatMap(([name, { spec }]) => {
    const other = spec.relation && visit.catalogue.of(spec.relation.noun)
    const value = values[name]
    const isIds = typeof value === 'string' || (Array.isArray(value) && value.every((id) => typeof id === 'string'))
    return other?.retrieve?.addressed && isIds && value !== '' ? [{ name, other, value }] : []
  })
  const named = byName.slice(0, MOST_NAMED).map(async ({ name, other, value }) => {
    const ids = [value].flat().slice(0, MOST_NAMED)
    const known = await Promise.all(ids.map((id) => namedThing(visit, other, String(id))))
    return [name, Array.isArray(value) ? [...known, ...value.slice(MOST_NAMED)] : known[0]] as const
  })
  return { ...values, ...Object.fromEntries(await Promise.all(named)) }
}

async function namedThing(visit: DashboardContext, things: Manageable, id: string): Promise<Values | string> {
  const { retrieve } = things
  if (!retrieve || !mayCall(visit, retrieve)) return id
  const answer = await visit.callAny('GET', pathTo(retrieve, id))
  return refusalOf(answer) ? id : { id, name: called(visit, things, answer.body) }
}

export function crumbsOf(visit: DashboardContext, { path, list }: Manageable): Crumb[] {
  return list ? [{ words: pluralTitle(path), address: `${visit.base}/${path}` }] : []
}

export function crumbsBelow(visit: DashboardContext, things: Manageable, values: Values): Crumb[] {
  const address = `${visit.base}/${things.path}/${encodeURIComponent(String(values.id))}`
  return [...crumbsOf(visit, things), { words: called(visit, things, values), address }]
}

export function called({ catalogue }: DashboardContext, { noun }: Manageable, values: Values): string {
  return catalogue.viewOf(noun.name)?.title?.(values) ?? nameOf(values)
}

function fieldList(visit: DashboardContext, { noun }: Manageable, values: Values, view?: View): Page {
  const { without = [], main, labels = {} } = view ?? {}
  const names = Object.entries(noun.fields)
    .filter(([name, { spec }]) => spec.use !== 'input' && !without.includes(name))
    .filter(([name]) => !APART.has(name) && (main?.includes(name) || !isOfPrograms(name, values)))
    .filter(([name, { spec }]) => kindOf(spec) !== 'collection' && values[name] !== undefined)
    .map(([name]) => name)
  const isEmpty = (name: string) => values[name] === null || values[name] === '' || isEmptyList(values[name])
  const line = (name: string): Fact => [
    labels[name] ?? fieldTitle(name),
    shownValue({ visit, field: noun.fields[name]!, name, values, room: 'line' }),
  ]
  const [empty, filled] = [names.filter(isEmpty), names.filter((name) => !isEmpty(name))]
  const isFirst = (name: string) => (main ? main.includes(name) : !FOLDED.has(name))
  const first = (main ?? filled).filter((name) => filled.includes(name) && isFirst(name))
  const more = filled.filter((name) => !first.includes(name))
  const rest =
    empty.length > 0
      ? html`<details class="unset"><summary>${counted(empty.length, 'empty field')}</summary>${factList('fields', empty.map(line))}</details>`
      : ''
  const folded =
    more.length > 0
      ? html`<details class="unset"><summary>More</summary>${factList('fields', more.map(line))}</details>`
      : ''
  return html`<section class="card" aria-label="Fields">${factList('fields', first.map(line))}${folded}${rest}</section>`
}

function isOfPrograms(name: string, values: Values): boolean {
  return OF_PROGRAMS.has(name) && (name !== 'metadata' || isEmptyList(values[name]))
}

function isEmptyList(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0
}

/** Returns the actions that the resource's state allows, regardless of the person's role. */
export function offeredIn({ noun, actions: known }: Manageable, values: Values, view?: View): string[] {
  const allowed = view?.allowed?.(values) ?? (values.allowed_actions as string[] | undefined)
  const inStates = new Set([...(view?.allowed ? known.keys() : []), ...Object.values(noun.states ?? {}).flat()])
  const hidden = view?.withoutActions ?? []
  return ['update', ...known.keys(), 'delete'].filter(
    (name) => !hidden.includes(name) && (!inStates.has(name) || !allowed || allowed.includes(name)),
  )
}

function actions(visit: DashboardContext, things: Manageable, values: Values, view?: View): Page {
  const { path, update, remove, actions: known } = things
  const address = `${visit.base}/${path}/${encodeURIComponent(String(values.id))}`
  const own = view?.actions ?? {}
  const offered = offeredIn(things, values, view)
  const may = (name: string, operation: Manageable['update']) =>
    operation !== null && mayCall(visit, operation) && offered.includes(name)
  const names = [...known.keys()].filter((name) => may(name, known.get(name)!))
  return html`${may('update', update) ? html`<a class="button" href="${address}/edit">Edit</a>` : ''}
${names.map((name) => html`<a class="button" href="${address}/${name}">${buttonOf(own[name], values) ?? valueTitle(name)}</a>`)}
${may('delete', remove) ? html`<a class="button danger" href="${address}/delete">Delete</a>` : ''}`
}

export function buttonOf(action: ActionView | undefined, values: Values): string | undefined {
  return typeof action?.button === 'function' ? action.button(values) : action?.button
}

/** Shows the first rows of each list that this resource can filter, such as a customer's orders. */
async function relatedLists(
  visit: DashboardContext,
  noun: Noun,
  values: Values,
  only?: readonly string[],
): Promise<Page> {
  const lists = visit.catalogue.all().filter(({ list, noun: other, path }) => {
    const isOwnList = list?.kind === 'list' && list.path === `/${path}` && mayCall(visit, list)
    return isOwnList && list.query[noun.name] !== undefined && other !== noun && (only?.includes(other.name) ?? true)
  })
  const sections = await Promise.all(lists.map((things) => relatedList(visit, things, noun, values)))
  return html`${sections}`
}

async function relatedList(visit: DashboardContext, things: Manageable, of: Noun, values: Values): Promise<Page> {
  const { noun, path, list } = things
  const view = visit.catalogue.viewOf(noun.name)
  const columns = columnsOf(noun, view).filter((name) => name !== of.name)
  const expand = expandedBy(things, columns, view)
  const id = String(values.id)
  const query = { [of.name]: id, limit: ROWS, ...(expand.length > 0 && { expand }) }
  const { rows, more } = rowsIn(await visit.callAny('GET', list!.path, { query }))
  if (rows.length === 0) return html``
  const all = withQuery(`${visit.base}/${path}`, { [of.name]: id })
  return html`<section class="related" aria-labelledby="r-${path}"><header><h2 id="r-${path}">${pluralTitle(path)}</h2>
${more ? html`<a href="${all}">All ${pluralTitle(path).toLowerCase()}</a>` : ''}</header>
${nounTable(visit, { noun, columns, rows, caption: pluralTitle(path), cells: view?.cells })}</section>`
}
