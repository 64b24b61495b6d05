import type { FieldErrors } from '../../contract/declarations/errors.ts'
import type { Sheet } from '../../resources/sales/checkout/sheet.ts'
import type { FormResult } from './act.ts'
import { type FormEntries, missingOf } from './entries.ts'
import { type OpenPage, openAnswer } from './open-checkout-page.ts'
import { problemsOf } from './problems.ts'

const BUTTONS_WITHOUT_FIELDS = ['approve', 'refuse', 'take_back']

/** Returns errors for invalid and missing fields. Buttons that only change the cart do not require an email address. */
export function formErrors(button: string, entered: FormEntries, sheet: Sheet, known: string | null): FieldErrors {
  if (BUTTONS_WITHOUT_FIELDS.includes(button)) return {}
  const errors = Object.entries(entered.errors)
  // Buttons that change the cart also report an invalid VAT id, because the total depends on it.
  if (button !== 'pay') return Object.fromEntries(errors.filter(([field]) => field !== 'email' && field !== 'name'))
  return { ...missingOf(entered, sheet, known), ...Object.fromEntries(errors) }
}

export function refusedAnswer(
  sheet: Sheet,
  page: OpenPage,
  { typed }: FormEntries,
  errors: FieldErrors,
): Promise<Response> {
  const { news: _news, ...rest } = page
  return openAnswer(sheet, { ...rest, typed, problems: problemsOf(errors, sheet) }, { status: 422 })
}

/** Shows the changed order in the form. Of the typed values, only those that are not part of the order are shown again. */
export function changedAnswer(
  sheet: Sheet,
  page: OpenPage,
  { typed: { email, name } }: FormEntries,
  done: Extract<FormResult, { kind: 'changed' | 'to_agree' }>,
  headers: Record<string, string> = {},
): Promise<Response> {
  const typed = {
    ...(email !== undefined && { email }),
    ...(name !== undefined && { name }),
    quantities: {},
    amounts: {},
  }
  const status = done.kind === 'to_agree' ? 409 : 200
  return openAnswer(sheet, { ...page, typed, ...noticeOf(done) }, { status, headers })
}

function noticeOf(done: Extract<FormResult, { kind: 'changed' | 'to_agree' }>): Pick<OpenPage, 'news'> {
  if (done.kind === 'to_agree') {
    const text = 'Your order or its terms have changed. Nothing was charged yet: check the order, then pay again.'
    return { news: { kind: 'plain', text } }
  }
  return done.changed ? { news: { kind: 'good', text: 'Your order was updated.' } } : {}
}
