import type { Fields } from '../../../contract/field.ts'
import type { Operation } from '../../../contract/operation.ts'
import { inWords } from '../../../contract/words.ts'
import type { Context } from '../../../records/context.ts'
import type { Page } from '../../parts/document.ts'
import { dashboardAnswer, goTo } from '../kit/answers.ts'
import type { Manageable } from '../kit/catalogue.ts'
import { type Crumb, framed } from '../kit/frame.ts'
import { type FormView, type Refusal, refusalOf, type Values, type Visit } from '../kit/visit.ts'
import { title, valueTitle } from '../kit/words.ts'
import { called, crumbsBelow, crumbsOf, one } from './detail.ts'
import { FORM_KEY, formOf } from './form.ts'
import { CHANGE, changedForm } from './nested-form.ts'
import { readBody } from './read-form.ts'

type Op = Operation<Context>

/** What was sent and not taken. */
export interface Refused {
  sent: URLSearchParams
  refusal: Refusal
  status: number
}

interface FormPage {
  title: string
  crumbs: Crumb[]
  lead: string | Page
  fields: Fields
  before: Values | null
  button: string
  back: string
  danger?: boolean | undefined
  view?: FormView | undefined
  refused: Refused | null
}

async function formPage(visit: Visit, { refused, title, crumbs, lead, ...form }: FormPage): Promise<Response> {
  const content = await formOf(visit, { ...form, sent: refused?.sent ?? null, refusal: refused?.refusal ?? null })
  return dashboardAnswer(framed(visit, { title, crumbs, lead }, content), { status: refused?.status ?? 200 })
}

/** The form that makes a new thing. The address may fill it in: `?product=prod_…`. */
export function createPage(visit: Visit, things: Manageable, refused: Refused | null = null): Promise<Response> {
  const { noun, create, path } = things
  const form = visit.catalogue.viewOf(noun.name)?.form
  const filled = Object.keys(create!.body!).filter((name) => visit.query.has(name))
  return formPage(visit, {
    title: `New ${title(noun.name).toLowerCase()}`,
    crumbs: crumbsOf(visit, things),
    lead: visit.catalogue.viewOf(noun.name)?.lead ?? '',
    fields: create!.body!,
    before: null,
    button: form?.create ?? `Create ${title(noun.name).toLowerCase()}`,
    back: `${visit.base}/${path}`,
    view: form,
    refused: refused ?? (filled.length > 0 ? { sent: visit.query, refusal: NOTHING_WRONG, status: 200 } : null),
  })
}

const NOTHING_WRONG: Refusal = { code: '', message: '', errors: {} }

/**
 * A form that was sent to add, move or remove an entry of a list: shown again, and nothing else. The status makes Turbo show
 * the answer without a redirect.
 */
export function rearranged(form: URLSearchParams): Refused | null {
  return form.has(CHANGE) ? { sent: changedForm(form), refusal: NOTHING_WRONG, status: 422 } : null
}

export async function create(visit: Visit, things: Manageable, form: URLSearchParams): Promise<Response> {
  const operation = things.create!
  visit.catalogue.viewOf(things.noun.name)?.form?.sent?.(form)
  const again = rearranged(form)
  if (again) return createPage(visit, things, again)
  const answer = await visit.ask('POST', operation.path, {
    body: readBody(visit, operation.body!, form, null),
    key: form.get(FORM_KEY),
  })
  const refusal = refusalOf(answer)
  if (refusal) return createPage(visit, things, { sent: form, refusal, status: answer.status })
  const view = visit.catalogue.viewOf(things.noun.name)
  const own = (view?.afterCreate ?? view?.after)?.(visit, answer.body)
  return goTo(done(own ?? addressOfOne(visit, things, String(answer.body.id)), 'created'))
}

/** The form that changes a thing. */
export async function editPage(
  visit: Visit,
  things: Manageable,
  id: string,
  refused: Refused | null = null,
): Promise<Response> {
  const values = await one(visit, things, id)
  return formPage(visit, {
    title: `Edit ${called(visit, things, values)}`,
    crumbs: crumbsBelow(visit, things, values),
    lead: '',
    fields: things.update!.body!,
    before: values,
    button: 'Save',
    view: visit.catalogue.viewOf(things.noun.name)?.form,
    back: addressOfOne(visit, things, id),
    refused,
  })
}

export async function edit(visit: Visit, things: Manageable, id: string, form: URLSearchParams): Promise<Response> {
  const again = rearranged(form)
  if (again) return editPage(visit, things, id, again)
  const values = await one(visit, things, id)
  const operation = things.update!
  visit.catalogue.viewOf(things.noun.name)?.form?.sent?.(form)
  const body = readBody(visit, operation.body!, form, values)
  const answer = await visit.ask('PATCH', pathTo(operation, id), { body })
  const refusal = refusalOf(answer)
  if (refusal) return editPage(visit, things, id, { sent: form, refusal, status: answer.status })
  const own = visit.catalogue.viewOf(things.noun.name)?.after?.(visit, answer.body)
  return goTo(done(own ?? addressOfOne(visit, things, String(answer.body.id ?? id)), 'saved'))
}

/** Asks before an action, with the fields that it takes. */
export async function actionPage(
  visit: Visit,
  things: Manageable,
  id: string,
  name: string,
  refused: Refused | null = null,
): Promise<Response> {
  const values = await one(visit, things, id)
  const operation = things.actions.get(name)!
  const own = visit.catalogue.viewOf(things.noun.name)?.actions?.[name]
  const words = own?.button ?? valueTitle(name)
  return formPage(visit, {
    title: `${words}: ${called(visit, things, values)}`,
    crumbs: crumbsBelow(visit, things, values),
    lead: own?.lead(visit, values) ?? `${operation.summary}.`,
    fields: operation.body ?? {},
    before: null,
    button: words,
    danger: own?.danger,
    view: own && { groups: [{ names: Object.keys(operation.body ?? {}) }], ...own },
    back: addressOfOne(visit, things, id),
    refused,
  })
}

export async function act(
  visit: Visit,
  things: Manageable,
  id: string,
  name: string,
  form: URLSearchParams,
): Promise<Response> {
  const again = rearranged(form)
  if (again) return actionPage(visit, things, id, name, again)
  const operation = things.actions.get(name)!
  const body = operation.body ? readBody(visit, operation.body, form, null) : undefined
  const answer = await visit.ask('POST', pathTo(operation, id), { body, key: form.get(FORM_KEY) })
  const refusal = refusalOf(answer)
  if (refusal) return actionPage(visit, things, id, name, { sent: form, refusal, status: answer.status })
  return goTo(`${addressOfOne(visit, things, idAfter(things, answer.body, id))}?done=done`)
}

/** Some actions answer another thing, such as a copy. */
function idAfter({ noun }: Manageable, body: Values, id: string): string {
  return body.object === noun.name && typeof body.id === 'string' ? body.id : id
}

/** Asks before a thing is deleted. */
export async function deletePage(
  visit: Visit,
  things: Manageable,
  id: string,
  refused: Refused | null = null,
): Promise<Response> {
  const values = await one(visit, things, id)
  const own = visit.catalogue.viewOf(things.noun.name)?.actions?.delete
  return formPage(visit, {
    title: `Delete ${called(visit, things, values)}?`,
    crumbs: crumbsBelow(visit, things, values),
    lead: own?.lead(visit, values) ?? 'It is gone for good: this cannot be undone.',
    fields: {},
    before: null,
    button: `Delete this ${inWords(things.noun.name.replace(/^ai_/, ''))}`,
    back: addressOfOne(visit, things, id),
    danger: true,
    refused,
  })
}

export async function remove(visit: Visit, things: Manageable, id: string, form: URLSearchParams): Promise<Response> {
  const answer = await visit.ask('DELETE', pathTo(things.remove!, id))
  const refusal = refusalOf(answer)
  if (refusal) return deletePage(visit, things, id, { sent: form, refusal, status: answer.status })
  return goTo(`${visit.base}/${things.path}?done=deleted`)
}

/** The address of a page that says what was done, unless it says so itself. */
function done(address: string, word: string): string {
  return /[?&]done=/.test(address) ? address : `${address}?done=${word}`
}

function pathTo(operation: Op, id: string): string {
  return operation.path.replace(/\{[^}]+\}/, encodeURIComponent(id))
}

function addressOfOne(visit: Visit, { path }: Manageable, id: string): string {
  return `${visit.base}/${path}/${encodeURIComponent(id)}`
}
