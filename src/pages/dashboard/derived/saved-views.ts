import { html } from 'hono/html'
import type { Fields } from '../../../contract/declarations/field.ts'
import type { Shown } from '../../../resources/nouns.ts'
import type { Page } from '../../parts/markup.ts'
import { goDone, goTo } from '../kit/answers.ts'
import { answeredRows, type Refusal, shown } from '../kit/call.ts'
import type { Manageable } from '../kit/catalogue.ts'
import { type DashboardContext, may } from '../kit/visit.ts'
import { backField, pageBehind } from './chosen.ts'
import { activeFilters, filterChips, inOneSentence, type Offers } from './filters.ts'
import type { DerivedPage } from './form-page.ts'
import { problemsOf } from './problem-words.ts'

const NOT_SAVED = new Set(['starting_after', 'done', 'limit'])

/** Sorts the query that a view saves, so that equal filters and sort order give equal text. */
function keptQuery(query: URLSearchParams): string {
  const kept = [...query].filter(([name, value]) => !NOT_SAVED.has(name) && value !== '')
  return new URLSearchParams(kept.toSorted(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0))).toString()
}

interface ShownViews {
  tabs: Page | string
  /** The form that saves the current filters and order as a view, or changes the view that already has them. */
  form: Page | string
}

export async function viewsOf(visit: DashboardContext, { path }: Manageable): Promise<ShownViews> {
  const { rows: views } = await answeredRows(visit.call('GET /saved_views', { query: { list: path } }))
  const now = keptQuery(visit.query)
  const open = views.find(({ query }) => query === now)
  const form = open ? editForm(visit, path, open) : now === '' ? '' : saveForm(visit, path, now)
  if (views.length === 0) return { tabs: '', form }
  const links = views.map(
    (one) =>
      html`<li><a href="${visit.path}?${one.query}"${one === open ? html` aria-current="page"` : ''}>${one.name}</a></li>`,
  )
  const tabs = html`<nav class="views" aria-label="Saved views"><ul><li><a href="${visit.path}"${now === '' ? html` aria-current="page"` : ''}>All</a></li>${links}</ul></nav>`
  return { tabs, form }
}

function saveForm(visit: DashboardContext, path: string, query: string): Page {
  const { base, csrf } = visit
  return html`<details class="view-form" data-controller="menu" data-action="keydown.esc->menu#close"><summary>Save view</summary>
<form method="post" action="${base}/${path}/views"><input type="hidden" name="csrf" value="${csrf}">${backField(visit)}<input type="hidden" name="query" value="${query}">
<div class="filter"><label for="view-name">Name</label><input id="view-name" name="name" maxlength="40" required autocomplete="off"></div>
${shareBox(visit, false)}
<div class="form-buttons"><button class="primary">Save view</button></div></form></details>`
}

function editForm(
  visit: DashboardContext,
  path: string,
  { id, name, shared, own }: Shown<'saved_view'>,
): Page | string {
  if (!own && !may(visit, 'people.access')) return ''
  return html`<details class="view-form" data-controller="menu" data-action="keydown.esc->menu#close"><summary>Edit view</summary>
<form method="post" action="${visit.base}/${path}/views/${id}"><input type="hidden" name="csrf" value="${visit.csrf}">${backField(visit)}
<div class="filter"><label for="view-name">Name</label><input id="view-name" name="name" maxlength="40" required autocomplete="off" value="${name}"></div>
${shareBox(visit, shared)}
<div class="form-buttons"><button class="primary" name="do" value="save">Save</button><button class="danger" name="do" value="delete" formnovalidate>Delete</button></div></form></details>`
}

function shareBox(visit: DashboardContext, shared: boolean): Page | string {
  if (!may(visit, 'self.share')) return ''
  return html`<label class="check"><input type="checkbox" name="shared" value="true"${shared ? html` checked` : ''}> Show it to everybody in the account</label>`
}

export const saveView: DerivedPage<URLSearchParams> = async (visit, things, _, form) => {
  const query = keptQuery(new URLSearchParams(form.get('query') ?? ''))
  const body = { list: things.path, name: nameIn(form), query, shared: form.get('shared') === 'true' }
  await shown(visit.call('POST /saved_views', { body }))
  return goDone(visit, `${pageBehind(visit, things, form)}?${query}`, 'saved', `View “${body.name}” saved.`)
}

export const changeView: DerivedPage<URLSearchParams> = async (visit, things, { id = '' }, form) => {
  const list = pageBehind(visit, things, form)
  if (form.get('do') === 'delete') {
    const { name } = await shown(visit.call('DELETE /saved_views/{id}', { path: { id } }))
    return goDone(visit, list, 'deleted', `View “${name}” deleted.`)
  }
  const body = { name: nameIn(form), shared: form.get('shared') === 'true' }
  const { name, query } = await shown(visit.call('PATCH /saved_views/{id}', { path: { id }, body }))
  return goDone(visit, `${list}?${query}`, 'saved', `View “${name}” saved.`)
}

/** Redirects to the list, because GET on the addresses of these forms shows no page. */
export async function backToList({ base }: DashboardContext, { path }: Manageable): Promise<Response> {
  return goTo(`${base}/${path}`)
}

function nameIn(form: URLSearchParams): string {
  return (form.get('name') ?? '').trim()
}

interface ListFilters {
  tabs: Page | string
  /** The active filters, each with a link that removes it, and the form that saves them. */
  chips: Page | string
  /** The active filters in words, such as ` status “Active”`; empty if there are none. */
  words: string
}

/** Renders a list's saved views and active filters. `offers` has words for the values of some of them. */
export async function narrowed(visit: DashboardContext, things: Manageable, offers: Offers = {}): Promise<ListFilters> {
  const [active, { tabs, form }] = await Promise.all([
    activeFilters(visit, things.list!, offers),
    viewsOf(visit, things),
  ])
  return { tabs, chips: filterChips(visit, active, form), words: active.length > 0 ? ` ${inOneSentence(active)}` : '' }
}

export function refusedQuery({ path }: DashboardContext, refusal: Refusal | null, fields: Fields): Page | string {
  if (refusal === null) return ''
  const said = problemsOf(refusal, fields).map(({ message }) => message)
  return html`<p class="notice bad" role="alert">${said.join(' ')} <a href="${path}">Clear filters</a></p>`
}
