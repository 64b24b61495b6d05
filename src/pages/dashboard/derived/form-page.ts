import type { Refusal, RefusedForm } from '../kit/call.ts'
import type { Manageable } from '../kit/catalogue.ts'
import { type At, type DashboardContext, type DashboardPage, pageAt } from '../kit/visit.ts'
import { isMove, withMoved } from './file-order.ts'
import { CHANGE, changedForm } from './nested-form.ts'
import { withOffered, withPicture } from './text-pictures.ts'

/** Handles a page of any resource. `given` is the submitted form or, if the page shows a form, the refused submission. */
export type DerivedPage<Given, Answer = Response> = (
  visit: DashboardContext,
  things: Manageable,
  at: At,
  given: Given,
) => Promise<Answer>

export interface FormPage<Path extends string = string, Not extends RefusedForm = RefusedForm>
  extends Omit<DashboardPage<Path>, 'get' | 'post' | 'files'> {
  /** Shows the form. `refused` is null at first, and later the submission that was refused. */
  show(visit: DashboardContext, at: At<Path>, refused: Not | RefusedForm | null): Promise<Response>
  /** Processes the submission. Returns a response, or the refused submission with its errors. */
  take(visit: DashboardContext, at: At<Path>, form: URLSearchParams): Promise<Response | Not | RefusedForm>
  /** Applies a button that edits a kind of rows that only this page has. Returns null for the buttons that all forms have. */
  changed?(form: URLSearchParams, change: string): URLSearchParams | null
}

/** Declares a page with a form, which is shown again after a refusal and after each change to its rows or files. */
export function formPage<const Path extends string, Not extends RefusedForm = RefusedForm>({
  show,
  take,
  changed,
  ...page
}: FormPage<Path, Not>): DashboardPage {
  return pageAt<Path>({
    ...page,
    get: (visit: DashboardContext, at: At<Path>) => show(visit, at, null),
    async post(visit: DashboardContext, at: At<Path>, form: URLSearchParams) {
      const done = rearranged(form, changed) ?? (await take(visit, at, form))
      return done instanceof Response ? done : show(visit, at, done)
    },
  })
}

export const NOTHING_WRONG: Refusal = { code: '', message: '', errors: {} }

/** Applies a button that edits rows or files, and saves nothing. Turbo renders a response with status 422 without a redirect. */
function rearranged(form: URLSearchParams, changed?: FormPage['changed']): RefusedForm | null {
  const change = form.get(CHANGE)
  if (change === null) return null
  const sent = changed?.(form, change) ?? changedBy(form, change)
  sent.delete(CHANGE)
  return { sent, refusal: NOTHING_WRONG, status: 422 }
}

function changedBy(form: URLSearchParams, change: string): URLSearchParams {
  const [verb = '', name = '', id = ''] = change.split(' ')
  if (verb === 'pictures') return withOffered(form, name)
  if (verb === 'picture') return withPicture(form, name)
  return isMove(verb) ? withMoved(form, verb, name, id) : changedForm(form)
}
