import { html } from 'hono/html'
import { ApiError } from '../../../contract/declarations/errors.ts'
import type { Fields } from '../../../contract/declarations/field.ts'
import { inWords } from '../../../format/names.ts'
import type { Page } from '../../parts/markup.ts'
import { type Crumb, framed, goDone } from '../kit/answers.ts'
import { formKey, type RefusedForm, refusalOf, refusedForm, type Values } from '../kit/call.ts'
import { type Manageable, type Op, pathTo } from '../kit/catalogue.ts'
import type { At, DashboardContext, DashboardPage, FormKind, FormView, View } from '../kit/visit.ts'
import { shortId, title, valueTitle } from '../kit/words.ts'
import { bulk } from './bulk.ts'
import { listAsCsv } from './csv.ts'
import { buttonOf, called, crumbsBelow, crumbsOf, detailPage, one } from './detail.ts'
import { DONE_WORDS } from './done-words.ts'
import { ALSO, type FormOptions, formOf } from './form.ts'
import { type DerivedPage, formPage, NOTHING_WRONG } from './form-page.ts'
import { listPage, listVersion } from './list.ts'
import { readBody } from './read-form.ts'
import { backToList, changeView, saveView } from './saved-views.ts'

/** Large enough for the longest rich text, if each character takes nine bytes: three bytes of UTF-8, percent-encoded. */
const RICH_FORM_BYTES = 2 * 1024 * 1024

function isEdited({ update, retrieve }: Manageable): boolean {
  return update !== null && retrieve !== null
}

function isDeleted({ remove, retrieve }: Manageable): boolean {
  return remove !== null && retrieve !== null
}

function hasAction({ actions, retrieve }: Manageable, { action }: At): boolean {
  return retrieve !== null && actions.has(action!)
}

/** Runs the page if its resource has the page's operation; otherwise throws `resource_missing`. */
function when<Given extends unknown[], Answer>(
  has: (things: Manageable, at: At) => unknown,
  show: (visit: DashboardContext, things: Manageable, at: At, ...given: Given) => Promise<Answer>,
) {
  return async (visit: DashboardContext, at: At, ...given: Given): Promise<Answer> => {
    const things = visit.catalogue.at(at.things!)
    if (!things || !has(things, at)) throw new ApiError('resource_missing', 'Page not found.')
    return show(visit, things, at, ...given)
  }
}

function csv(visit: DashboardContext, at: At): Promise<Response> {
  const path = at.things!.slice(0, -'.csv'.length)
  return when(
    ({ list }) => list,
    (_, things) => listAsCsv(visit, things),
  )(visit, { ...at, things: path })
}

interface FormPageOptions extends FormOptions {
  title: string
  crumbs: Crumb[]
  lead: string | Page
  refused: RefusedForm | null
}

async function framedForm(
  visit: DashboardContext,
  { title, crumbs, lead, ...form }: FormPageOptions,
): Promise<Response> {
  const content = await formOf(visit, form)
  // The editor uploads pictures directly to the file store, so the policy must allow its origin.
  const takesPictures = String(content).includes('data-controller="editor"')
  const sendsTo = takesPictures ? visit.parts.services.files.current.uploadsBelow : null
  return framed(visit, { title, crumbs, lead, own: sendsTo !== null, status: form.refused?.status, sendsTo }, content)
}

type ShowForm = DerivedPage<RefusedForm | null, Response>
type TakeForm = DerivedPage<URLSearchParams, Response | RefusedForm>

type Kinds = NonNullable<FormView['kinds']>

/** Returns the kinds that are offered, and the one with the name that `nameOf` finds. */
async function kindOf(visit: DashboardContext, kinds: Kinds | undefined, nameOf: (kinds: Kinds) => unknown) {
  const offered = kinds ? await kinds.offered(visit) : []
  const found = kinds && offered.find(({ value }) => value === nameOf(kinds))
  return { offered, kind: found && { ...found, field: kinds.field } }
}

async function kindsPage(
  visit: DashboardContext,
  things: Manageable,
  { lead, parameter }: Kinds,
  offered: readonly FormKind[],
): Promise<Response> {
  const links = offered.map(
    ({ value, title, words }) =>
      html`<li><a class="kind" href="${visit.path}?${parameter}=${value}"><strong>${title}</strong><span>${words}</span></a></li>`,
  )
  const page = { title: `New ${title(things.noun.name).toLowerCase()}`, crumbs: crumbsOf(visit, things) }
  return framed(visit, { ...page, lead }, html`<ul class="kinds">${links}</ul>`)
}

/** The form of a kind has its fields in their order. */
function formViewOf(view: View | undefined, kind: FormKind | undefined): FormView | undefined {
  return view?.form && kind ? { ...view.form, groups: [{ names: Object.keys(kind.fields) }] } : view?.form
}

/** Shows the form for a new resource. Query parameters fill in its fields: `?product=prod_…`. */
const createPage: ShowForm = async (visit, things, _, refused) => {
  const { noun, create, path } = things
  const view = viewOf(visit, things)
  const kinds = view?.form?.kinds
  const { kind, offered } = await kindOf(visit, kinds, ({ field, parameter }) =>
    refused ? refused.sent.get(field) : visit.query.get(parameter),
  )
  if (kinds && !kind) return kindsPage(visit, things, kinds, offered)
  const fields = kind?.fields ?? create!.body!
  const filled = Object.keys(fields).filter((name) => visit.query.has(name))
  return framedForm(visit, {
    title: `New ${title(noun.name).toLowerCase()}${kind ? `: ${kind.title}` : ''}`,
    crumbs: crumbsOf(visit, things),
    lead: kind?.words ?? view?.lead ?? '',
    fields,
    ...(kind && { above: html`<input type="hidden" name="${kind.field}" value="${kind.value}">` }),
    before: null,
    button: view?.form?.create ?? `Create ${title(noun.name).toLowerCase()}`,
    back: `${visit.base}/${path}`,
    view: formViewOf(view, kind),
    refused: refused ?? (filled.length > 0 ? { sent: visit.query, refusal: NOTHING_WRONG, status: 200 } : null),
  })
}

const create: TakeForm = async (visit, things, _, form) => {
  const operation = things.create!
  const view = viewOf(visit, things)
  view?.form?.sent?.(form)
  const wrong = alsoWrong(visit, view, form)
  if (wrong) return wrong
  const kinds = view?.form?.kinds
  const { kind, offered } = await kindOf(visit, kinds, ({ field }) => form.get(field))
  if (kinds && !kind) return kindsPage(visit, things, kinds, offered)
  const fixed = kind && { [kind.field]: kind.value }
  const body = { ...readBody(visit, kind?.fields ?? operation.body!, form, null), ...fixed }
  const answer = await visit.callAny('POST', operation.path, { body, key: formKey(form) })
  const refused = refusedForm(form, answer)
  if (refused) return refused
  const also = await alsoDone(visit, things, String(answer.body.id), form)
  if (also) return also
  const own = (view?.afterCreate ?? view?.after)?.(visit, answer.body)
  const made = things.retrieve ? await one(visit, things, String(answer.body.id)) : answer.body
  const next = own ?? addressOfOne(visit, things, String(answer.body.id))
  return goDone(visit, next, 'created', saidOf(visit, things, made, 'create'))
}

/** Validates the second submit button's own input, if that button was pressed. */
function alsoWrong(visit: DashboardContext, view: View | undefined, form: URLSearchParams): RefusedForm | null {
  const errors = form.has(ALSO) ? (view?.form?.also?.check(visit, form) ?? {}) : {}
  const [message] = Object.values(errors).flat()
  return message === undefined
    ? null
    : { sent: form, refusal: { code: 'validation_failed', message, errors }, status: 422 }
}

/** Runs the second submit button's action on the saved resource. Returns null if the first button was pressed. */
async function alsoDone(
  visit: DashboardContext,
  things: Manageable,
  id: string,
  form: URLSearchParams,
): Promise<Response | null> {
  const also = form.has(ALSO) ? viewOf(visit, things)?.form?.also : undefined
  if (!also) return null
  const answer = await also.afterSave(visit, id, form)
  const refusal = refusalOf(answer)
  const said = refusal ? `Saved, but no more than that: ${refusal.message}` : also.done(answer.body)
  return goDone(visit, addressOfOne(visit, things, id), 'saved', said)
}

const editPage: ShowForm = async (visit, things, { id = '' }, refused) => {
  const values = await one(visit, things, id)
  const view = viewOf(visit, things)
  const { kind } = await kindOf(visit, view?.form?.kinds, ({ field }) => values[field])
  return framedForm(visit, {
    title: `Edit ${called(visit, things, values)}`,
    crumbs: crumbsBelow(visit, things, values),
    lead: '',
    fields: kind?.fields ?? things.update!.body!,
    before: view?.form?.filled?.(values) ?? values,
    button: 'Save',
    view: formViewOf(view, kind),
    back: addressOfOne(visit, things, id),
    refused,
  })
}

const edit: TakeForm = async (visit, things, { id = '' }, form) => {
  const values = await one(visit, things, id)
  const operation = things.update!
  const view = viewOf(visit, things)
  view?.form?.sent?.(form)
  const wrong = alsoWrong(visit, view, form)
  if (wrong) return wrong
  const { kind } = await kindOf(visit, view?.form?.kinds, ({ field }) => values[field])
  const before = view?.form?.filled?.(values) ?? values
  const body = readBody(visit, kind?.fields ?? operation.body!, form, before)
  const answer = await visit.callAny('PATCH', pathTo(operation, id), { body })
  const refused = refusedForm(form, answer)
  if (refused) return refused
  const also = await alsoDone(visit, things, id, form)
  if (also) return also
  const own = view?.after?.(visit, answer.body)
  const next = own ?? addressOfOne(visit, things, String(answer.body.id ?? id))
  return goDone(visit, next, 'saved', saidOf(visit, things, await one(visit, things, id), 'update'))
}

const actionPage: ShowForm = async (visit, things, { id = '', action: name = '' }, refused) => {
  const values = await one(visit, things, id)
  const operation = things.actions.get(name)!
  const own = viewOf(visit, things)?.actions?.[name]
  const words = buttonOf(own, values) ?? valueTitle(name)
  const fields = askedFields(operation, own?.fixed?.(values))
  return framedForm(visit, {
    title: `${words}: ${called(visit, things, values)}`,
    crumbs: crumbsBelow(visit, things, values),
    lead: (await own?.lead(visit, values)) ?? `${operation.summary}.`,
    fields,
    before: own?.before?.(values) ?? null,
    button: words,
    danger: own?.danger,
    view: own && { groups: [{ names: Object.keys(fields) }], ...own },
    back: addressOfOne(visit, things, id),
    refused,
  })
}

const act: TakeForm = async (visit, things, { id = '', action: name = '' }, form) => {
  const operation = things.actions.get(name)!
  const values = await one(visit, things, id)
  const fixed = viewOf(visit, things)?.actions?.[name]?.fixed?.(values)
  const body = operation.body ? { ...readBody(visit, askedFields(operation, fixed), form, null), ...fixed } : undefined
  const answer = await visit.callAny('POST', pathTo(operation, id), { body, key: formKey(form) })
  const refused = refusedForm(form, answer)
  if (refused) return refused
  // Some actions return another resource, such as a copy.
  const isSame = answer.body.object === things.noun.name && typeof answer.body.id === 'string'
  const next = addressOfOne(visit, things, isSame ? String(answer.body.id) : id)
  return goDone(visit, next, 'done', saidOf(visit, things, values, name))
}

function askedFields({ body }: Op, fixed: object = {}): Fields {
  return Object.fromEntries(Object.entries(body ?? {}).filter(([name]) => !Object.hasOwn(fixed, name)))
}

const deletePage: ShowForm = async (visit, things, { id = '' }, refused) => {
  const values = await one(visit, things, id)
  const own = viewOf(visit, things)?.actions?.delete
  return framedForm(visit, {
    title: `Delete ${called(visit, things, values)}?`,
    crumbs: crumbsBelow(visit, things, values),
    lead: (await own?.lead(visit, values)) ?? 'This cannot be undone.',
    fields: {},
    before: null,
    button: `Delete this ${inWords(things.noun.name.replace(/^ai_/, ''))}`,
    back: addressOfOne(visit, things, id),
    danger: true,
    refused,
  })
}

const remove: TakeForm = async (visit, things, { id = '' }, form) => {
  const values = await one(visit, things, id)
  const answer = await visit.callAny('DELETE', pathTo(things.remove!, id))
  const refused = refusedForm(form, answer)
  if (refused) return refused
  return goDone(visit, `${visit.base}/${things.path}`, 'deleted', saidOf(visit, things, values, 'delete'))
}

function viewOf({ catalogue }: DashboardContext, { noun }: Manageable): View | undefined {
  return catalogue.viewOf(noun.name)
}

function addressOfOne(visit: DashboardContext, { path }: Manageable, id: string): string {
  return `${visit.base}/${path}/${encodeURIComponent(id)}`
}

function saidOf(visit: DashboardContext, things: Manageable, values: Values, did: string): string {
  return `${nameInWords(visit, things, values)} ${DONE_WORDS[did] ?? 'changed'}.`
}

/** Returns words such as `Product “Tea”`, or `Refund` if resources of this kind have no names. */
function nameInWords(visit: DashboardContext, things: Manageable, values: Values): string {
  const kind = title(things.noun.name)
  const name = called(visit, things, values)
  if (name.startsWith(kind)) return name
  return name === '' || name === shortId(String(values.id ?? '')) ? kind : `${kind} “${name}”`
}

/** The pages derived from declarations. Hand-written pages with the same path take precedence. */
export const DERIVED: DashboardPage[] = [
  formPage({
    path: '/:things/new',
    show: when((things) => things.create, createPage),
    take: when((things) => things.create, create),
    formBytes: RICH_FORM_BYTES,
  }),
  { path: '/:things{[a-z0-9_]+\\.csv}', get: csv },
  { path: '/:things', get: when(({ list }) => list, listPage) },
  { path: '/:things/latest', get: when(({ list }) => list, listVersion) },
  {
    path: '/:things/bulk',
    get: when(({ list }) => list, backToList),
    post: when(({ list, retrieve }) => list && retrieve, bulk),
  },
  { path: '/:things/views', get: when(({ list }) => list, backToList), post: when(({ list }) => list, saveView) },
  { path: '/:things/views/:id', get: when(({ list }) => list, backToList), post: when(({ list }) => list, changeView) },
  { path: '/:things/:id', get: when(({ retrieve }) => retrieve, detailPage) },
  formPage({
    path: '/:things/:id/edit',
    show: when(isEdited, editPage),
    take: when(isEdited, edit),
    formBytes: RICH_FORM_BYTES,
  }),
  formPage({ path: '/:things/:id/delete', show: when(isDeleted, deletePage), take: when(isDeleted, remove) }),
  formPage({ path: '/:things/:id/:action', show: when(hasAction, actionPage), take: when(hasAction, act) }),
]
