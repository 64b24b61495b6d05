import { html } from 'hono/html'
import type { Operation } from '../../../contract/declarations/operation.ts'
import type { Context } from '../../../records/context.ts'
import { inSentence } from '../../../words/sentences.ts'
import { failureOf } from '../agents/failure.ts'
import { dashboardAnswer, goTo } from '../kit/answers.ts'
import { refusalOf } from '../kit/ask.ts'
import type { Manageable } from '../kit/catalogue.ts'
import { framed } from '../kit/frame.ts'
import { type BulkAction, mayCall, type Visit } from '../kit/visit.ts'
import { calledOf, pluralTitle } from '../kit/words.ts'
import { declaredActions, programOf } from './chosen.ts'
import { chosenAsCsv } from './csv.ts'

/** More than the rows of a page. */
const MOST_CHOSEN = 100
/** Of the query of a list, which leads back to it. */
const MAX_BACK = 1_000
const EXPORT = 'export'

/** What can be done with several things of a list: what programs can do, and what the person may. */
export function bulkActions(visit: Visit, things: Manageable): BulkAction[] {
  const inPrograms = new Set(visit.parts.pipeline.operations)
  return declaredActions(visit, things).filter((action) => {
    const operation = operationOf(things, action)
    return operation !== null && inPrograms.has(operation) && mayCall(visit, operation)
  })
}

/** The operation that an action calls for each thing; null where there is none. */
function operationOf(things: Manageable, { method, below = '' }: BulkAction): Operation<Context> | null {
  if (below !== '') return things.actions.get(below.slice(1)) ?? null
  return method === 'patch' ? things.update : method === 'delete' ? things.remove : null
}

/** Whether rows can be chosen: those that have pages of their own, under ids. */
export function canChoose({ noun, retrieve, list, path }: Manageable): boolean {
  return retrieve?.addressed === true && noun.prefix !== null && list?.path === `/${path}`
}

/** Plans what is to be done with the chosen things and leads to the plan, where a person applies it or not. */
export async function bulk(visit: Visit, things: Manageable, form: URLSearchParams): Promise<Response> {
  const name = form.get('do') ?? ''
  const chosen = [...new Set(form.getAll('chosen'))]
  const unknown = chosen.some((id) => !things.noun.isId(id))
  if (chosen.length === 0 || unknown) return notPlanned(visit, things, 'Choose one row or more first.', 422)
  if (chosen.length > MOST_CHOSEN) return notPlanned(visit, things, `Choose at most ${MOST_CHOSEN} rows at once.`, 422)
  if (name === EXPORT) return chosenAsCsv(visit, things, chosen)
  const action = bulkActions(visit, things).find((one) => one.name === name)
  if (!action) return notPlanned(visit, things, 'This cannot be done with several rows at once.', 422)
  const asked = action.asks ? (form.get(`with-${action.name}`) ?? '').trim() : ''
  if (action.asks && asked === '') return notPlanned(visit, things, `${action.asks.words} must be given.`, 422)
  return plan(visit, things, programOf(things, { chosen, action, asked, back: backIn(form) }))
}

function backIn(form: URLSearchParams): string {
  return (form.get('back') ?? '').slice(0, MAX_BACK)
}

async function plan(visit: Visit, things: Manageable, code: string): Promise<Response> {
  const answer = await visit.ask('POST /playground', { body: { code, mode: 'dry_run' } })
  const refusal = refusalOf(answer)
  if (refusal) return notPlanned(visit, things, refusal.message, answer.status)
  const { failed, answer: said } = answer.body
  if (failed) return notPlanned(visit, things, failureOf(said).message, 409)
  if (said.plan === undefined) return notPlanned(visit, things, 'Everything that you chose is like that already.', 200)
  return goTo(`${visit.base}/plans/${encodeURIComponent(said.plan)}`)
}

function notPlanned(visit: Visit, { path }: Manageable, why: string, status: number): Promise<Response> {
  const list = `${visit.base}/${path}`
  const content = html`<div class="notice bad" role="alert"><p class="prose">${inSentence(why)}</p></div>
<p><a class="button" href="${list}">Back to the list</a></p>`
  const options = {
    title: 'Nothing was changed',
    crumbs: [{ words: pluralTitle(path), address: list }],
    lead: 'What you choose is changed all at once, or not at all.',
  }
  return dashboardAnswer(framed(visit, options, content), { status })
}

/** What happens with the chosen rows; shown where some are chosen, or always by browsers that cannot tell. */
export function bulkBar(visit: Visit, things: Manageable, actions: readonly BulkAction[]) {
  const buttons = actions.map(({ name, button, asks, danger }) => {
    const look = danger ? 'danger' : ''
    const field = asks
      ? html`<label class="unseen" for="with-${name}">${asks.words}</label><input id="with-${name}" name="with-${name}" maxlength="100" placeholder="${asks.words}" autocomplete="off">`
      : ''
    return html`<span class="bulk-action">${field}<button class="small ${look}" name="do" value="${name}">${button}</button></span>`
  })
  return html`<form class="bulk" id="bulk" method="post" action="${visit.base}/${things.path}/bulk" data-turbo="false" aria-label="With the rows that are chosen">
<input type="hidden" name="csrf" value="${visit.csrf}"><input type="hidden" name="back" value="${visit.query.toString()}"><span class="bulk-count" data-rows-target="count">Chosen:</span>${buttons}<button class="small" name="do" value="${EXPORT}">Export</button>
<p class="bulk-hint">${actions.length > 0 ? 'You see what would change before anything does.' : ''}</p></form>`
}

/** The boxes of rows, which belong to the form of the bar. */
export function choiceOf(things: Manageable, nameOfRow: (values: { id?: unknown }) => string) {
  const one = calledOf(things.noun.name)
  return {
    all: html`<label class="box" hidden data-rows-target="all"><input type="checkbox" data-action="rows#chooseAll"><span class="unseen">Choose all on this page</span></label>`,
    one: (values: { id?: unknown }) =>
      html`<label class="box"><input type="checkbox" form="bulk" name="chosen" value="${String(values.id)}" autocomplete="off"><span class="unseen">Choose ${one} ${nameOfRow(values)}</span></label>`,
  }
}
