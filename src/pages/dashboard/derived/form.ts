import { html } from 'hono/html'
import type { Fields } from '../../../contract/field.ts'
import type { Page } from '../../parts/document.ts'
import { describedBy, field as labelled, summaryOf } from '../../parts/fields.ts'
import type { Problem } from '../../parts/problem.ts'
import type { FormView } from '../kit/view.ts'
import type { Refusal, Values, Visit } from '../kit/visit.ts'
import { fieldTitle, sentenceCase } from '../kit/words.ts'
import { hintOf, inputOf, inputText } from './inputs.ts'
import { laidOut } from './layout.ts'

export interface FormOptions {
  fields: Fields
  /** What is there now; null for something new, which begins with what the fields default to. */
  before: Values | null
  /** What was sent and refused, which is shown again; null at first. */
  sent: URLSearchParams | null
  refusal: Refusal | null
  /** The words of its button. */
  button: string
  /** Where its second way leads: back. */
  back: string
  danger?: boolean | undefined
  /** How the fields are laid out; one after the other when absent. */
  view?: FormView | undefined
  /** Above the fields. */
  above?: Page
}

/** A form of some fields: labels, what each means, what was wrong with it, and everything that was typed. */
export async function formOf(
  visit: Visit,
  { fields, before, sent, refusal, button, back, danger, above, view }: FormOptions,
): Promise<Page> {
  const problems = problemsOf(refusal, fields)
  const inputs = new Map<string, Page>()
  const texts = new Map<string, string>()
  await Promise.all(
    Object.entries(fields).map(async ([name, field]) => {
      const text = sent?.get(name) ?? inputText(visit, field, before ? before[name] : field.spec.fallback, before ?? {})
      texts.set(name, text)
      const id = idOf(name)
      const hint = view?.hints?.[name] ?? hintOf(visit, field)
      const label = html`${view?.labels?.[name] ?? fieldTitle(name)}${field.spec.required ? '' : html` <span class="optional">optional</span>`}`
      const input = await inputOf({ visit, field, name, id, text, described: describedBy(id, hint, problems) })
      inputs.set(name, labelled({ id, label, hint, problems, input: () => input }))
    }),
  )
  const shown = Object.keys(fields).map((name) => ({
    name,
    input: inputs.get(name)!,
    text: texts.get(name)!,
    isWrong: problems.some((problem) => problem.field === idOf(name)),
  }))
  const layout = view ? laidOut(shown, view) : shown.map(({ input }) => input)
  return html`${summaryOf(problems)}<form class="card form" method="post" action="${visit.path}">
<input type="hidden" name="csrf" value="${visit.csrf}">${above ?? ''}${layout}
<div class="form-buttons"><button class="${danger ? 'danger-solid' : 'primary'}">${button}</button><a class="button quiet" href="${back}">Cancel</a></div>
</form>`
}

function idOf(name: string): string {
  return `field-${name}`
}

/** What an operation refused, by the fields of the form; what is about none of them stands alone. */
export function problemsOf(refusal: Refusal | null, fields: Fields): Problem[] {
  if (refusal === null || refusal.code === '') return []
  const byField = Object.entries(refusal.errors ?? (refusal.param ? { [refusal.param]: [refusal.message] } : {}))
  const problems = byField.flatMap(([path, messages]) => {
    const [name = '', ...inside] = path.split('.')
    const known = Object.hasOwn(fields, name)
    const place = inside.length > 0 ? `${fieldTitle(name)}, ${inside.join(' ')}` : fieldTitle(name)
    return { field: known ? idOf(name) : null, message: sentence(place, messages[0] ?? '', refusal.message) }
  })
  return problems.length > 0 ? problems : [{ field: null, message: refusal.message }]
}

function sentence(place: string, message: string, whole: string): string {
  if (message === whole) return whole
  return `${sentenceCase(place)} ${message}${message.endsWith('.') ? '' : '.'}`
}
