import type { Refusal } from '../kit/ask.ts'
import { type At, type DashboardPage, pageAt } from '../kit/page.ts'
import type { Refused } from '../kit/refused.ts'
import type { Visit } from '../kit/visit.ts'
import { isMove, withMoved } from './file-order.ts'
import { CHANGE, changedForm } from './nested-form.ts'
import { withOffered, withPicture } from './text-pictures.ts'

/** How a form is shown and taken. */
export interface FormPage<Path extends string = string> extends Omit<DashboardPage<Path>, 'get' | 'post' | 'files'> {
  /** The page, at first with null and then with what was sent and not taken. */
  show(visit: Visit, at: At<Path>, refused: Refused | null): Promise<Response>
  /** Does what the form says, or answers why not. */
  take(visit: Visit, at: At<Path>, form: URLSearchParams): Promise<Response | Refused>
}

/** A page that is a form: it is shown again while it is not taken, and while somebody changes its rows or chooses its files. */
export function formPage<const Path extends string>({ show, take, ...page }: FormPage<Path>): DashboardPage {
  return pageAt<Path>({
    ...page,
    get: (visit: Visit, at: At<Path>) => show(visit, at, null),
    async post(visit: Visit, at: At<Path>, form: URLSearchParams) {
      const done = rearranged(form) ?? (await take(visit, at, form))
      return done instanceof Response ? done : show(visit, at, done)
    },
  })
}

export const NOTHING_WRONG: Refusal = { code: '', message: '', errors: {} }

/**
 * A form that was sent to add, move or remove an entry of a list, to move a file, or to choose or add a picture: shown again, and
 * nothing else. The status makes Turbo show the answer without a redirect.
 */
export function rearranged(form: URLSearchParams): Refused | null {
  if (!form.has(CHANGE)) return null
  return { sent: changedBy(form), refusal: NOTHING_WRONG, status: 422 }
}

function changedBy(form: URLSearchParams): URLSearchParams {
  const [verb = '', name = '', id = ''] = form.get(CHANGE)!.split(' ')
  if (verb === 'pictures') return withOffered(form, name)
  if (verb === 'picture') return withPicture(form, name)
  return isMove(verb) ? withMoved(form, verb, name, id) : changedForm(form)
}
