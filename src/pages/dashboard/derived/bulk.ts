import { html } from 'hono/html'
import { listed } from '../../../format/lists.ts'
import { inSentence } from '../../../format/sentences.ts'
import type { Choice, Page } from '../../parts/markup.ts'
import { failureOf } from '../agents/plan-parts.ts'
import { type Crumb, framed, goTo } from '../kit/answers.ts'
import { refusalOf, type Values } from '../kit/call.ts'
import { type Manageable, type Op, pathTo } from '../kit/catalogue.ts'
import { type BulkAction, type DashboardContext, mayCall } from '../kit/visit.ts'
import { calledOf, nameOf, pluralTitle } from '../kit/words.ts'
import { backField, backIn, backTo, declaredActions, programOf } from './chosen.ts'
import { chosenAsCsv } from './csv.ts'
import { offeredIn } from './detail.ts'
import type { DerivedPage } from './form-page.ts'

/** The maximum number of chosen rows. A page of a list has fewer. */
const MOST_CHOSEN = 100
const EXPORT = 'export'

/** Returns the list's bulk actions that programs can call and that the person's role allows. */
function bulkActions(visit: DashboardContext, things: Manageable): BulkAction[] {
  const inPrograms = new Set(visit.parts.pipeline.operations)
  return declaredActions(visit, things).filter((action) => {
    const operation = operationOf(visit, things, action)
    return operation !== null && (action.word || inPrograms.has(operation)) && mayCall(visit, operation)
  })
}

function operationOf(visit: DashboardContext, things: Manageable, { method, word, below = '' }: BulkAction): Op | null {
  if (word) return visit.parts.pipeline.dashboardOperations.find((one) => one.rubyHelper === word) ?? null
  if (below !== '') return things.actions.get(below.slice(1)) ?? null
  return method === 'patch' ? things.update : method === 'delete' ? things.remove : null
}

export function actionsOn(visit: DashboardContext, things: Manageable, rows: readonly Values[]): BulkAction[] {
  const canDelete = rows.some((row) => mayBeDeleted(visit, things, row))
  return bulkActions(visit, things).filter(({ method }) => method !== 'delete' || canDelete)
}

function mayBeDeleted({ catalogue }: DashboardContext, things: Manageable, values: Values): boolean {
  return offeredIn(things, values, catalogue.viewOf(things.noun.name)).includes('delete')
}

/** Returns the names of chosen rows that cannot be deleted. The bulk program reports rows that no longer exist. */
async function undeletable(visit: DashboardContext, things: Manageable, chosen: readonly string[]): Promise<string[]> {
  const names: string[] = []
  for (const id of chosen) {
    const answer = await visit.callAny('GET', pathTo(things.retrieve!, id))
    if (refusalOf(answer) === null && !mayBeDeleted(visit, things, answer.body)) names.push(`“${nameOf(answer.body)}”`)
  }
  return names
}

/** Returns whether rows can be chosen, which requires that they have ids and pages of their own. */
export function canChoose({ noun, retrieve, list, path }: Manageable): boolean {
  return retrieve?.addressed === true && noun.prefix !== null && list?.path === `/${path}`
}

/** Plans the action on the chosen rows and redirects to the plan, which the person then applies or rejects. */
export const bulk: DerivedPage<URLSearchParams> = async (visit, things, _, form) => {
  const name = form.get('do') ?? ''
  const chosen = [...new Set(form.getAll('chosen'))]
  const unknown = chosen.some((id) => !things.noun.isId(id))
  const refuse = (why: string, status = 422) =>
    notPlanned(visit, { words: pluralTitle(things.path), address: backTo(visit, things, backIn(form)) }, why, status)
  if (chosen.length === 0 || unknown) return refuse('Choose one row or more first.')
  if (chosen.length > MOST_CHOSEN) return refuse(`Choose at most ${MOST_CHOSEN} rows at once.`)
  if (name === EXPORT) return chosenAsCsv(visit, things, chosen)
  const action = bulkActions(visit, things).find((one) => one.name === name)
  if (!action) return refuse('This cannot be done with several rows at once.')
  const asked = action.asks ? (form.get(`with-${action.name}`) ?? '').trim() : ''
  if (action.asks && asked === '') return refuse(`${action.asks.words} must be given.`)
  const kept = action.method === 'delete' ? await undeletable(visit, things, chosen) : []
  if (kept.length > 0) return refuse(`${listed(kept)} cannot be deleted. Open one to see what can be done with it.`)
  return plan(visit, programOf(things, { chosen, action, asked, back: backIn(form) }), refuse)
}

type Refuse = (why: string, status: number) => Promise<Response>

async function plan(visit: DashboardContext, code: string, refuse: Refuse): Promise<Response> {
  const answer = await visit.call('POST /playground', { body: { code, mode: 'dry_run' } })
  const refusal = refusalOf(answer)
  if (refusal) return refuse(refusal.message, answer.status)
  const { failed, answer: said } = answer.body
  if (failed) return refuse(failureOf(said).message, 409)
  if (said.plan === undefined) return refuse('Everything that you chose is like that already.', 200)
  return goTo(`${visit.base}/plans/${encodeURIComponent(said.plan)}`)
}

function notPlanned(visit: DashboardContext, place: Crumb, why: string, status: number): Promise<Response> {
  const content = html`<div class="notice bad" role="alert"><p class="prose">${inSentence(why)}</p></div>
<p><a class="button" href="${place.address}">Back to the list</a></p>`
  const options = {
    title: 'Nothing was changed',
    crumbs: [place],
    lead: 'What you choose is changed all at once, or not at all.',
  }
  return framed(visit, { ...options, status }, content)
}

/** Renders the bar of bulk actions. CSS hides it until a row is chosen; browsers without :has() always show it. */
export function bulkBar(visit: DashboardContext, things: Manageable, actions: readonly BulkAction[]) {
  const buttons = actions.map(({ name, button, asks, danger }) => {
    const look = danger ? 'danger' : ''
    const field = asks
      ? html`<label class="unseen" for="with-${name}">${asks.words}</label><input id="with-${name}" name="with-${name}" maxlength="100" placeholder="${asks.words}" autocomplete="off">`
      : ''
    return html`<span class="bulk-action">${field}<button class="small ${look}" name="do" value="${name}">${button}</button></span>`
  })
  return html`<form class="bulk" id="bulk" method="post" action="${visit.base}/${things.path}/bulk" data-turbo="false" aria-label="With the rows that are chosen">
<input type="hidden" name="csrf" value="${visit.csrf}">${backField(visit)}<span class="bulk-count" data-rows-target="count">Chosen:</span>${buttons}<button class="small" name="do" value="${EXPORT}">Export</button>
<p class="bulk-hint">${actions.length > 0 ? 'You see what would change before anything does.' : ''}</p></form>`
}

export const ROWS_SCRIPT = html`data-controller="rows" data-action="click->rows#open auxclick->rows#open change->rows#count"`

/** Adds checkboxes and bulk actions to a hand-written table, unless there are no actions. */
export function choosing<Row extends { id: string }>(
  visit: DashboardContext,
  things: Manageable,
  nameOfRow: (row: Row) => string,
  table: (choice: Choice<Row> | undefined) => Page,
): Page {
  const actions = bulkActions(visit, things)
  if (actions.length === 0) return table(undefined)
  return html`<div class="choosing" ${ROWS_SCRIPT}>${table(choiceOf(things, nameOfRow))}${bulkBar(visit, things, actions)}</div>`
}

/** Returns the checkboxes of rows. They are inputs of the bulk bar's form, which is elsewhere on the page. */
export function choiceOf<Row extends { id?: unknown }>(
  things: Manageable,
  nameOfRow: (row: Row) => string,
): Choice<Row> {
  const one = calledOf(things.noun.name)
  return {
    all: html`<label class="box" hidden data-rows-target="all"><input type="checkbox" data-action="rows#chooseAll"><span class="unseen">Choose all on this page</span></label>`,
    one: (values) =>
      html`<label class="box"><input type="checkbox" form="bulk" name="chosen" value="${String(values.id)}" autocomplete="off"><span class="unseen">Choose ${one} ${nameOfRow(values)}</span></label>`,
  }
}
