import { html } from 'hono/html'
import { aOrAn } from '../../../words/names.ts'
import { inSentence } from '../../../words/sentences.ts'
import type { Page } from '../../parts/document.ts'
import { withQuery } from '../kit/addresses.ts'
import { dashboardAnswer, goTo } from '../kit/answers.ts'
import { refusalOf, rowsIn, type Values } from '../kit/ask.ts'
import type { Manageable } from '../kit/catalogue.ts'
import { choicesOf } from '../kit/fields.ts'
import { type Crumb, framed } from '../kit/frame.ts'
import { mayCall, type View, type Visit } from '../kit/visit.ts'
import { pluralTitle, title } from '../kit/words.ts'
import { columnsOf, expandedBy } from './columns.ts'
import { FIND, filterForm, narrowing } from './filters.ts'
import { nounTable } from './table.ts'

const ROWS = 25

interface ListOptions {
  view?: View | undefined
  crumbs?: Crumb[]
  /** Beside the usual buttons. */
  links?: Page | undefined
}

/** The list of one kind of thing: narrowed, sorted, in pages, and as CSV. */
export async function listPage(
  visit: Visit,
  things: Manageable,
  { view, crumbs, links }: ListOptions = {},
): Promise<Response> {
  const { noun } = things
  const list = things.list!
  const columns = columnsOf(noun, view)
  const sought = view?.find ? (visit.query.get(FIND) ?? '').trim() : ''
  const found = sought === '' ? null : await addressOfId(visit, things, sought)
  if (found !== null) return goTo(found)
  const query = { ...narrowing(visit, list), ...listQuery(visit, things, columns, view), limit: ROWS }
  const answer = await visit.askAny('GET', list.path, { query })
  const refusal = refusalOf(answer)
  const { rows, more } = sought === '' ? rowsIn(answer) : { rows: [], more: false }
  const many = pluralTitle(things.path)
  const isEmpty = rows.length === 0 && refusal === null && !isNarrowed(visit)
  const content = html`${isEmpty ? '' : filterForm(visit, list, { sorts: sortsOf(things), find: view?.find, isEmpty: rows.length === 0 })}
${refusal ? html`<p class="notice bad" role="alert">${inSentence(refusal.message)} <a href="${visit.path}">Clear filters</a></p>` : ''}
${rows.length > 0 ? nounTable(visit, { noun, columns, rows, caption: many, cells: view?.cells }) : refusal ? '' : empty(visit, things, view)}
${pager(visit, rows, more)}`
  const options = {
    title: many,
    crumbs: crumbs ?? [],
    lead: view?.lead,
    actions: buttons(visit, things, { links, isEmpty }),
  }
  return dashboardAnswer(framed(visit, options, content), { status: refusal ? answer.status : 200 })
}

/** Where the thing with an id is, or null where there is none. */
async function addressOfId(visit: Visit, { path, retrieve }: Manageable, id: string): Promise<string | null> {
  const answer = await visit.askAny('GET', retrieve!.path.replace(/\{[^}]+\}/, encodeURIComponent(id)))
  return refusalOf(answer) ? null : `${visit.base}/${path}/${encodeURIComponent(id)}`
}

/** The parameters of a list besides what narrows it. */
export function listQuery(
  visit: Visit,
  things: Manageable,
  columns: readonly string[],
  view: View | undefined,
): Values {
  const expand = expandedBy(things, columns, view)
  const [after, sort] = [visit.query.get('starting_after'), visit.query.get('sort')]
  return {
    ...(expand.length > 0 && { expand }),
    ...(after && { starting_after: after }),
    ...(sort && sortsOf(things).includes(sort) && { sort }),
  }
}

function sortsOf({ list }: Manageable): string[] {
  const sort = list?.query.sort
  return sort ? choicesOf(sort.spec) : []
}

interface ButtonOptions {
  links: Page | undefined
  /** There is nothing to export. */
  isEmpty: boolean
}

function buttons(visit: Visit, { path, create, list, noun }: Manageable, { links, isEmpty }: ButtonOptions): Page {
  const csv = isEmpty
    ? ''
    : html`<a class="button" href="${withQuery(`${visit.base}/${path}.csv`, Object.fromEntries(visit.query))}" data-turbo="false">Export<span class="unseen"> as CSV</span></a>`
  const add =
    create && create.path === list?.path && mayCall(visit, create)
      ? html`<a class="button primary" href="${visit.base}/${path}/new">New ${title(noun.name).toLowerCase()}</a>`
      : ''
  // The main button is the last one.
  return add === '' ? html`${csv}${links ?? ''}` : html`${links ?? ''}${csv}${add}`
}

function isNarrowed(visit: Visit): boolean {
  return [...visit.query.keys()].some((name) => !['done', 'sort'].includes(name))
}

function empty(visit: Visit, { path, noun, create, list }: Manageable, view: View | undefined): Page {
  if (isNarrowed(visit))
    return html`<div class="empty"><p>Nothing matches. <a href="${visit.path}">Clear filters</a></p></div>`
  const add =
    create && create.path === list?.path && mayCall(visit, create)
      ? html`<p><a class="button" href="${visit.base}/${path}/new">Create ${aOrAn(noun.name)}</a></p>`
      : ''
  const way = view?.empty ? html`<p>${view.empty(visit)}</p>` : ''
  return html`<div class="empty"><p>There are no ${pluralTitle(path).toLowerCase()} yet.</p>${way}${add}</div>`
}

/** The way to the next page of a list, and back to the first. */
export function pager(visit: Visit, rows: readonly { id?: unknown }[], more: boolean): Page {
  const query = Object.fromEntries(visit.query)
  const isFirst = !query.starting_after
  if (isFirst && !more) return html``
  const { starting_after: _, done: __, ...kept } = query
  const last = String(rows.at(-1)?.id ?? '')
  return html`<nav class="pager" aria-label="Pages">
${isFirst ? '' : html`<a class="button" href="${withQuery(visit.path, kept)}">First page</a>`}
${more ? html`<a class="button" rel="next" href="${withQuery(visit.path, { ...kept, starting_after: last })}">Next page</a>` : ''}</nav>`
}
