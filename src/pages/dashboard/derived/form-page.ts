import type { Refusal, Refused } from '../kit/ask.ts'
import { type At, type DashboardPage, pageAt, type Visit } from '../kit/visit.ts'
import { isMove, withMoved } from './file-order.ts'
import { CHANGE, changedForm } from './nested-form.ts'
import { withOffered, withPicture } from './text-pictures.ts'

export interface FormPage<Path extends string = string, Not extends Refused = Refused>
  extends Omit<DashboardPage<Path>, 'get' | 'post' | 'files'> {
  /** The page, at first with null and then with what was sent and not taken. */
  show(visit: Visit, at: At<Path>, refused: Not | Refused | null): Promise<Response>
  /** Does what the form says, or answers why not. */
  take(visit: Visit, at: At<Path>, form: URLSearchParams): Promise<Response | Not | Refused>
  /** The form after a change to rows of its own kind; null for any other change. */
  changed?(form: URLSearchParams, change: string): URLSearchParams | null
}

/** A page that is a form: it is shown again while it is not taken, and while somebody changes its rows or chooses its files. */
export function formPage<const Path extends string, Not extends Refused = Refused>({
  show,
  take,
  changed,
  ...page
}: FormPage<Path, Not>): DashboardPage {
  return pageAt<Path>({
    ...page,
    get: (visit: Visit, at: At<Path>) => show(visit, at, null),
    async post(visit: Visit, at: At<Path>, form: URLSearchParams) {
      const done = rearranged(form, changed) ?? (await take(visit, at, form))
      return done instanceof Response ? done : show(visit, at, done)
    },
  })
}

export const NOTHING_WRONG: Refusal = { code: '', message: '', errors: {} }

/**
 * A form that was sent to add, move or remove an entry of a list, to move a file, or to choose or add a picture: shown again, and
 * nothing else. The status makes Turbo show the answer without a redirect.
 */
function rearranged(form: URLSearchParams, changed?: FormPage['changed']): Refused | null {
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
