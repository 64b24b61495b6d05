import { html } from 'hono/html'
import { aOrAn } from '../../../format/names.ts'
import { etagOf, namesTag } from '../../parts/asset.ts'
import type { Page, Sort } from '../../parts/markup.ts'
import { framed, goTo } from '../kit/answers.ts'
import { refusalOf, rowsIn, type Values } from '../kit/call.ts'
import { type Manageable, pathTo } from '../kit/catalogue.ts'
import { choicesOf, kindOf } from '../kit/fields.ts'
import { type DashboardContext, mayCall, type View, withQuery } from '../kit/visit.ts'
import { calledOf, nameOf, pluralTitle, title } from '../kit/words.ts'
import { actionsOn, bulkBar, canChoose, choiceOf, ROWS_SCRIPT } from './bulk.ts'
import {
  type ActiveFilter,
  activeFilters,
  clearedAddress,
  filterChips,
  filterForm,
  inOneSentence,
  narrowing,
  offersOf,
} from './filters.ts'
import { refusedQuery, viewsOf } from './saved-views.ts'
import { columnsOf, expandedBy, nounTable } from './table.ts'

const DEFAULT_SORT = '-created_at'

const ROWS = 25
const LATEST_ROWS = 5

export async function listPage(visit: DashboardContext, things: Manageable): Promise<Response> {
  const view = visit.catalogue.viewOf(things.noun.name)
  const list = things.list!
  const sought = await addressOfSearchedId(visit, things)
  if (sought !== null) return goTo(sought)
  const columns = columnsOf(things.noun, view)
  const [answer, active, views, offers] = await Promise.all([
    visit.callAny('GET', list.path, { query: queryOf(visit, things, columns, view) }),
    activeFilters(visit, list),
    viewsOf(visit, things),
    offersOf(visit, list, view),
  ])
  const refusal = refusalOf(answer)
  const { rows, more } = rowsIn(answer)
  const many = pluralTitle(things.path)
  const isEmpty = rows.length === 0 && refusal === null && !isNarrowed(visit)
  const form = {
    sorts: sortsOf(things),
    search: view?.search,
    isEmpty: rows.length === 0,
    headsSort: headsSort(things, columns, view),
    offers,
  }
  const found = refusal
    ? refusedQuery(visit, refusal, things.noun.fields)
    : rows.length > 0
      ? table(visit, things, { columns, rows, view })
      : empty(visit, things, active, view)
  const content = html`<div class="list" data-controller="list" data-list-version-value="${versionOf(rows)}" data-list-latest-value="${visit.base}/${things.path}/latest" data-list-one-value="${calledOf(things.noun.name)}" data-list-many-value="${many.toLowerCase()}">
<div data-list-part="views">${isEmpty ? '' : views.tabs}</div>
${isEmpty ? '' : filterForm(visit, list, form)}
<p class="unseen" role="status" data-list-target="said"></p>
<div data-list-part="rows" ${ROWS_SCRIPT}>${filterChips(visit, active, isEmpty ? '' : views.form)}${found}${pager(visit, rows, more)}</div></div>`
  const page = { title: many, lead: view?.lead, actions: buttons(visit, things, view?.listLinks?.(visit), isEmpty) }
  return framed(visit, { ...page, status: refusal ? answer.status : 200 }, content)
}

/** Tells a browser whether the rows that it shows have changed. */
export function listVersion(visit: DashboardContext, things: Manageable): Promise<Response> {
  return latestAnswer(visit, things, queryOf(visit, things, []))
}

function queryOf(visit: DashboardContext, things: Manageable, columns: readonly string[], view?: View): Values {
  return { ...narrowing(visit, things.list!), ...listQuery(visit, things, columns, view), limit: ROWS }
}

async function addressOfSearchedId(
  visit: DashboardContext,
  { path, noun, retrieve }: Manageable,
): Promise<string | null> {
  const id = (visit.query.get('query') ?? '').trim()
  if (!noun.isId(id) || !retrieve?.addressed) return null
  const answer = await visit.callAny('GET', pathTo(retrieve, id))
  return refusalOf(answer) ? null : `${visit.base}/${path}/${encodeURIComponent(id)}`
}

function listQuery(visit: DashboardContext, things: Manageable, columns: readonly string[], view?: View): Values {
  const expand = expandedBy(things, columns, view)
  const [after, sort] = [visit.query.get('starting_after'), sortOf(visit, things)]
  return { ...(expand.length > 0 && { expand }), ...(after && { starting_after: after }), ...(sort && { sort }) }
}

interface ListRows {
  columns: readonly string[]
  rows: Values[]
  view: View | undefined
}

function table(visit: DashboardContext, things: Manageable, { columns, rows, view }: ListRows): Page {
  const { noun, path } = things
  const chosen = canChoose(things)
  const name = (values: Values) => view?.title?.(values) ?? nameOf(values)
  const shown = nounTable(visit, {
    noun,
    columns,
    rows,
    caption: pluralTitle(path),
    cells: view?.cells,
    picture: view?.picture,
    sortBy: sortBy(visit, things, view),
    choice: chosen ? choiceOf(things, name) : undefined,
  })
  return html`${shown}${chosen ? bulkBar(visit, things, actionsOn(visit, things, rows)) : ''}`
}

function buttons(visit: DashboardContext, things: Manageable, links: Page | undefined, isEmpty: boolean): Page {
  const csv = isEmpty
    ? ''
    : html`<span data-list-part="export"><a class="button" href="${withQuery(`${visit.base}/${things.path}.csv`, Object.fromEntries(visit.query))}" data-turbo="false">Export<span class="unseen"> as CSV</span></a></span>`
  const add = mayAdd(visit, things)
    ? html`<a class="button primary" href="${visit.base}/${things.path}/new">New ${title(things.noun.name).toLowerCase()}</a>`
    : ''
  // The primary button is the last one in the heading.
  return add === '' ? html`${csv}${links ?? ''}` : html`${links ?? ''}${csv}${add}`
}

function mayAdd(visit: DashboardContext, { create, list }: Manageable): boolean {
  return create !== null && create.path === list?.path && mayCall(visit, create)
}

function isNarrowed(visit: DashboardContext): boolean {
  return [...visit.query.keys()].some((name) => !['done', 'sort'].includes(name))
}

function empty(visit: DashboardContext, things: Manageable, active: readonly ActiveFilter[], view?: View): Page {
  const { path, noun } = things
  const many = pluralTitle(path).toLowerCase()
  if (isNarrowed(visit)) {
    const by = active.length > 0 ? ` ${inOneSentence(active)}` : ''
    return html`<div class="empty"><p>No ${many} match${by}. <a href="${clearedAddress(visit)}">Clear filters</a></p></div>`
  }
  const add = mayAdd(visit, things)
    ? html`<p><a class="button" href="${visit.base}/${path}/new">Create ${aOrAn(calledOf(noun.name))}</a></p>`
    : ''
  const way = view?.empty ? html`<p>${view.empty(visit)}</p>` : ''
  return html`<div class="empty"><p>There are no ${many} yet.</p>${way}${add}</div>`
}

export function pager(visit: DashboardContext, rows: readonly { id?: unknown }[], more: boolean): Page {
  const query = Object.fromEntries(visit.query)
  const isFirst = !query.starting_after
  if (isFirst && !more) return html``
  const { starting_after: _, done: __, ...kept } = query
  const last = String(rows.at(-1)?.id ?? '')
  return html`<nav class="pager" aria-label="Pages">
${isFirst ? '' : html`<a class="button" href="${withQuery(visit.path, kept)}">First page</a>`}
${more ? html`<a class="button" rel="next" href="${withQuery(visit.path, { ...kept, starting_after: last })}">Next page</a>` : ''}</nav>`
}

function sortsOf({ list }: Manageable): string[] {
  const sort = list?.query.sort
  return sort ? choicesOf(sort.spec) : []
}

function sortOf(visit: DashboardContext, things: Manageable): string | undefined {
  const given = visit.query.get('sort')
  return given !== null && sortsOf(things).includes(given) ? given : undefined
}

function fieldOf(things: Manageable, column: string, view?: View): string | undefined {
  const field = view?.cells?.[column]?.sort ?? column
  return sortsOf(things).includes(field) ? field : undefined
}

/** Returns a function for the links in column headings. A link reverses the order if its column already sorts the list. */
function sortBy(visit: DashboardContext, things: Manageable, view?: View) {
  const now = sortOf(visit, things) ?? DEFAULT_SORT
  return (column: string): Sort | undefined => {
    const field = fieldOf(things, column, view)
    if (field === undefined) return undefined
    const [up, down] = [field, `-${field}`]
    const isHighFirst =
      kindOf(things.noun.fields[field]!.spec) !== 'text' && kindOf(things.noun.fields[field]!.spec) !== 'email'
    const other = now === up ? down : now === down ? up : isHighFirst ? down : up
    const { starting_after: _, done: __, ...kept } = Object.fromEntries(visit.query)
    return {
      address: withQuery(visit.path, { ...kept, sort: other }),
      now: now === up ? 'ascending' : now === down ? 'descending' : null,
    }
  }
}

function headsSort(things: Manageable, columns: readonly string[], view?: View): boolean {
  const fields = new Set(columns.map((column) => fieldOf(things, column, view)))
  return sortsOf(things).every((sort) => fields.has(sort.replace(/^-/, '')))
}

/** Returns an entity tag of the rows, which does not depend on the columns shown. */
function versionOf(rows: readonly Values[]): string {
  return etagOf(
    JSON.stringify(rows.map(({ id, updated_at, created_at, status }) => [id, updated_at ?? created_at, status])),
  )
}

/** Responds with a 304 if the browser already shows the current rows. It renders no page. */
async function latestAnswer(visit: DashboardContext, { list }: Manageable, query: Values): Promise<Response> {
  const { rows } = rowsIn(await visit.callAny('GET', list!.path, { query }))
  const version = versionOf(rows)
  const isSame = namesTag(visit.incoming.header('if-none-match'), version)
  return new Response(null, {
    status: isSame ? 304 : 200,
    headers: { ETag: version, 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' },
  })
}

interface LatestOptions {
  path: string
  heading: string
  all: string
}

/** Shows the newest rows of a list with a link to the whole list, or nothing if the list is empty. */
export async function latest(visit: DashboardContext, { path, heading, all }: LatestOptions): Promise<Page> {
  const things = visit.catalogue.at(path)
  if (!things?.list) return html``
  const view = visit.catalogue.viewOf(things.noun.name)
  const columns = columnsOf(things.noun, view)
  const answer = await visit.callAny('GET', things.list.path, {
    query: { ...listQuery(visit, things, columns, view), limit: LATEST_ROWS },
  })
  const { rows } = rowsIn(answer)
  if (rows.length === 0) return html``
  return headed(
    visit,
    { path, heading, all },
    nounTable(visit, { noun: things.noun, columns, rows, caption: heading, cells: view?.cells }),
  )
}

export function headed(visit: DashboardContext, { path, heading, all }: LatestOptions, content: Page): Page {
  return html`<section class="related" aria-labelledby="latest-${path}"><header><h2 id="latest-${path}">${heading}</h2><a href="${visit.base}/${path}">${all}</a></header>
${content}</section>`
}
