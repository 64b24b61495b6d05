import type { Fields } from '../../../contract/declarations/field.ts'
import { inWords } from '../../../format/names.ts'
import type { Page } from '../../parts/markup.ts'
import { type Crumb, framed, goDone } from '../kit/answers.ts'
import { keyOf, type RefusedForm, refusalOf, refusedForm, type Values } from '../kit/call.ts'
import { type Manageable, type Op, pathTo } from '../kit/catalogue.ts'
import type { At, DashboardContext, View } from '../kit/visit.ts'
import { shortId, title, valueTitle } from '../kit/words.ts'
import { buttonOf, called, crumbsBelow, crumbsOf, one } from './detail.ts'
import { ALSO, type FormOptions, formOf } from './form.ts'
import { NOTHING_WRONG } from './form-page.ts'
import { readBody } from './read-form.ts'

export const DONE_WORDS: Record<string, string> = {
  create: 'created',
  update: 'saved',
  delete: 'deleted',
  refund: 'refunded',
  accept: 'accepted',
  advance: 'moved forward',
  again: 'made again',
  answer: 'answered',
  apply: 'applied',
  archive: 'archived',
  cancel: 'canceled',
  describe: 'described',
  duplicate: 'copied',
  hide: 'hidden',
  like: 'liked',
  pause: 'paused',
  position: 'moved',
  publish: 'published',
  reconnect: 'reconnected',
  reject: 'rejected',
  reply: 'answered',
  resend: 'sent again',
  restore: 'restored',
  resume: 'resumed',
  retry: 'retried',
  bring_back: 'brought back',
  retry_payment: 'given a new payment page',
  revoke: 'ended',
  schedule: 'scheduled',
  stop: 'stopped',
  submit: 'submitted',
  sync: 'updated',
  tags: 'tagged',
  test: 'sent a test event',
  uploaded: 'uploaded',
  unhide: 'shown again',
  unlike: 'no longer liked',
  unpublish: 'withdrawn',
  unschedule: 'no longer scheduled',
  void: 'voided',
}

interface FormPageOptions extends FormOptions {
  title: string
  crumbs: Crumb[]
  lead: string | Page
  refused: RefusedForm | null
}

async function formPage(visit: DashboardContext, { title, crumbs, lead, ...form }: FormPageOptions): Promise<Response> {
  const content = await formOf(visit, form)
  // The editor uploads pictures directly to the file store, so the policy must allow its origin.
  const takesPictures = String(content).includes('data-controller="editor"')
  const sendsTo = takesPictures ? visit.parts.services.files.current.uploadsBelow : null
  return framed(visit, { title, crumbs, lead, own: sendsTo !== null, status: form.refused?.status, sendsTo }, content)
}

/** Query parameters fill in the fields of the new resource: `?product=prod_…`. */
export function createPage(
  visit: DashboardContext,
  things: Manageable,
  _: At,
  refused: RefusedForm | null,
): Promise<Response> {
  const { noun, create, path } = things
  const view = viewOf(visit, things)
  const filled = Object.keys(create!.body!).filter((name) => visit.query.has(name))
  return formPage(visit, {
    title: `New ${title(noun.name).toLowerCase()}`,
    crumbs: crumbsOf(visit, things),
    lead: view?.lead ?? '',
    fields: create!.body!,
    before: null,
    button: view?.form?.create ?? `Create ${title(noun.name).toLowerCase()}`,
    back: `${visit.base}/${path}`,
    view: view?.form,
    refused: refused ?? (filled.length > 0 ? { sent: visit.query, refusal: NOTHING_WRONG, status: 200 } : null),
  })
}

type FormResult = Promise<Response | RefusedForm>

export async function create(visit: DashboardContext, things: Manageable, _: At, form: URLSearchParams): FormResult {
  const operation = things.create!
  const view = viewOf(visit, things)
  view?.form?.sent?.(form)
  const wrong = alsoWrong(visit, view, form)
  if (wrong) return wrong
  const answer = await visit.callAny('POST', operation.path, {
    body: readBody(visit, operation.body!, form, null),
    key: keyOf(form),
  })
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

export async function editPage(
  visit: DashboardContext,
  things: Manageable,
  { id = '' }: At,
  refused: RefusedForm | null,
): Promise<Response> {
  const values = await one(visit, things, id)
  const view = viewOf(visit, things)?.form
  return formPage(visit, {
    title: `Edit ${called(visit, things, values)}`,
    crumbs: crumbsBelow(visit, things, values),
    lead: '',
    fields: things.update!.body!,
    before: view?.filled?.(values) ?? values,
    button: 'Save',
    view,
    back: addressOfOne(visit, things, id),
    refused,
  })
}

export async function edit(
  visit: DashboardContext,
  things: Manageable,
  { id = '' }: At,
  form: URLSearchParams,
): FormResult {
  const values = await one(visit, things, id)
  const operation = things.update!
  const view = viewOf(visit, things)
  view?.form?.sent?.(form)
  const wrong = alsoWrong(visit, view, form)
  if (wrong) return wrong
  const body = readBody(visit, operation.body!, form, view?.form?.filled?.(values) ?? values)
  const answer = await visit.callAny('PATCH', pathTo(operation, id), { body })
  const refused = refusedForm(form, answer)
  if (refused) return refused
  const also = await alsoDone(visit, things, id, form)
  if (also) return also
  const own = view?.after?.(visit, answer.body)
  const next = own ?? addressOfOne(visit, things, String(answer.body.id ?? id))
  return goDone(visit, next, 'saved', saidOf(visit, things, await one(visit, things, id), 'update'))
}

export async function actionPage(
  visit: DashboardContext,
  things: Manageable,
  { id = '', action: name = '' }: At,
  refused: RefusedForm | null,
): Promise<Response> {
  const values = await one(visit, things, id)
  const operation = things.actions.get(name)!
  const own = viewOf(visit, things)?.actions?.[name]
  const words = buttonOf(own, values) ?? valueTitle(name)
  const fields = askedFields(operation, own?.fixed?.(values))
  return formPage(visit, {
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

export async function act(
  visit: DashboardContext,
  things: Manageable,
  { id = '', action: name = '' }: At,
  form: URLSearchParams,
): FormResult {
  const operation = things.actions.get(name)!
  const values = await one(visit, things, id)
  const fixed = viewOf(visit, things)?.actions?.[name]?.fixed?.(values)
  const body = operation.body ? { ...readBody(visit, askedFields(operation, fixed), form, null), ...fixed } : undefined
  const answer = await visit.callAny('POST', pathTo(operation, id), { body, key: keyOf(form) })
  const refused = refusedForm(form, answer)
  if (refused) return refused
  const next = addressOfOne(visit, things, idAfter(things, answer.body, id))
  return goDone(visit, next, 'done', saidOf(visit, things, values, name))
}

function askedFields({ body }: Op, fixed: object = {}): Fields {
  return Object.fromEntries(Object.entries(body ?? {}).filter(([name]) => !Object.hasOwn(fixed, name)))
}

/** Returns the id of the resource to show: some actions return another resource, such as a copy. */
function idAfter({ noun }: Manageable, body: Values, id: string): string {
  return body.object === noun.name && typeof body.id === 'string' ? body.id : id
}

export async function deletePage(
  visit: DashboardContext,
  things: Manageable,
  { id = '' }: At,
  refused: RefusedForm | null,
): Promise<Response> {
  const values = await one(visit, things, id)
  const own = viewOf(visit, things)?.actions?.delete
  return formPage(visit, {
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

export async function remove(
  visit: DashboardContext,
  things: Manageable,
  { id = '' }: At,
  form: URLSearchParams,
): FormResult {
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
