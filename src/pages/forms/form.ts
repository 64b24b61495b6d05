import type { VisitorCaller } from '../../contract/declarations/caller.ts'
import { ApiError, type FieldErrors } from '../../contract/declarations/errors.ts'
import type { Row } from '../../contract/declarations/noun.ts'
import type { Context } from '../../records/context.ts'
import { requireRow } from '../../records/records.ts'
import { type FieldType, Form, type FormField } from '../../resources/audience/form/form.ts'
import { createSubmission, SUBMISSION_EVENTS } from '../../resources/audience/form-submission/submit.ts'
import { frameOf } from '../../resources/sales/checkout/sheet.ts'
import { pageAnswer, seeOther } from '../parts/answers.ts'
import { readForm } from '../parts/form.ts'
import { visitorBy } from '../parts/gate.ts'
import type { Problem } from '../parts/markup.ts'
import { PageOf, type PageParts, type PageRequest } from '../parts/page-parts.ts'
import { problemOf, type ValueKind } from '../parts/problem-words.ts'
import { type EnteredAnswers, entriesOf, formPage, HONEYPOT, inputOf, type ShownForm, wordsPage } from './document.ts'

const KINDS: Readonly<Record<FieldType, ValueKind>> = {
  email: 'email',
  text: 'text',
  textarea: 'long',
  number: 'number',
  phone: 'text',
  select: 'choice',
  multi_select: 'choices',
  checkbox: 'flag',
  date: 'text',
  url: 'address',
}

/** The maximum size of a submission. A long form with long answers fits into it. */
const LIMIT_BYTES = 256 * 1024

interface FormView {
  row: Row<typeof Form>
  page: ShownForm
}

/** Finds the visitor of a form's page by the form's id. */
export const visitorOf = visitorBy('forms', (_, id) => id)

export class FormPage extends PageOf<PageParts> {
  get = async (caller: VisitorCaller, { request }: PageRequest): Promise<Response> => {
    const shown = await this.#shown(caller)
    if (new URL(request.url).searchParams.has('done')) return doneAnswer(shown)
    return shown.row.status === 'archived' ? closedAnswer(shown.page) : pageAnswer(formPage(shown.page))
  }

  post = async (caller: VisitorCaller, incoming: PageRequest): Promise<Response> => {
    const form = await readForm(this.parts.bodies, incoming, LIMIT_BYTES)
    const { row, page } = await this.#shown(caller)
    const taken = seeOther(`/forms/${row.id}?done`)
    // A bot gets the normal response, so that it does not notice the trap.
    if (form.get(HONEYPOT)) return taken
    const entered = entriesOf(form, row.fields)
    const outcome = await this.#submit(caller, entered)
    if (outcome === 'taken') return taken
    if (outcome === 'closed') return closedAnswer(page)
    return pageAnswer(formPage(page, entered.typed, problemsOf(outcome, row.fields)), { status: 422 })
  }

  async #submit(caller: VisitorCaller, { answers }: EnteredAnswers): Promise<'taken' | 'closed' | FieldErrors> {
    try {
      await this.parts.pipeline.visits.actAsOutsider(caller, SUBMISSION_EVENTS, (context) =>
        createSubmission(context, { form: caller.pageId, answers, metadata: {} }),
      )
      return 'taken'
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      if (error.code === 'invalid_state') return 'closed'
      if (error.details.errors) return error.details.errors
      throw error
    }
  }

  #shown(caller: VisitorCaller): Promise<FormView> {
    return this.parts.pipeline.visits.look(caller, (context) => shownOf(context, caller.pageId))
  }
}

async function shownOf(context: Context, id: string): Promise<FormView> {
  const row = await requireRow(context, Form, id)
  const { shop } = await frameOf(context)
  const { name, description, fields } = row
  return { row, page: { shop, id, name, description, fields } }
}

function closedAnswer({ shop, name }: ShownForm): Promise<Response> {
  const words = 'It no longer accepts answers.'
  return pageAnswer(wordsPage(shop, { title: `“${name}” is closed`, words }), { status: 410 })
}

const THANKS = 'Thank you. Your answers were received.'

/** Shows a notice that the submission must be confirmed, or the form's message or redirect. */
function doneAnswer({ row, page: { shop } }: FormView): Promise<Response> {
  if (row.confirmation_required) {
    const words =
      'We sent you an e-mail with a link. Open it to confirm your address; your submission does not count until you do.'
    return pageAnswer(wordsPage(shop, { title: 'Check your inbox', words }))
  }
  return thanksAnswer(shop, 'Thank you', row)
}

/** Shows the form's message, or redirects with a Refresh header, because the policy forbids redirects of forms to other sites. */
export function thanksAnswer(
  shop: ShownForm['shop'],
  title: string,
  { success_message, redirect_url: url }: Pick<Row<typeof Form>, 'success_message' | 'redirect_url'>,
): Promise<Response> {
  const way = url === null ? null : { url, words: 'Continue' }
  const page = wordsPage(shop, { title, words: success_message || THANKS, way })
  return pageAnswer(page, url === null ? {} : { refresh: { seconds: 0, address: url } })
}

/** Converts errors to problems in the order of the page. Their messages name the questions. */
function problemsOf(errors: FieldErrors, fields: readonly FormField[]): Problem[] {
  const places = fields.map(inputOf)
  return Object.entries(errors)
    .map(([name, [message = '']]) => problemAt(name, message, fields))
    .toSorted((one, other) => places.indexOf(one.field ?? '') - places.indexOf(other.field ?? ''))
}

function problemAt(name: string, message: string, fields: readonly FormField[]): Problem {
  const field = fieldOf(name, fields)
  if (!field) return problemOf({ id: null, label: 'The form', kind: 'text' }, message)
  const range = ', such as 12 or 12.5'
  const label = `“${field.label}”`
  const asked = { id: inputOf(field), label, choice: `answer to ${label}`, kind: KINDS[field.type], range }
  return problemOf(asked, message)
}

/** Finds the question that an error is about. Errors of `email` and `name` belong to the first e-mail and text question. */
function fieldOf(name: string, fields: readonly FormField[]): FormField | undefined {
  const id = Number(/^answers\.(\d+)$/.exec(name)?.[1])
  if (name === 'email') return fields.find(({ type }) => type === 'email')
  return name === 'name' ? fields.find(({ type }) => type === 'text') : fields.find((field) => field.id === id)
}
