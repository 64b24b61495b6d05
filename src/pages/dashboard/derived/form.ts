import { html } from 'hono/html'
import type { Field, Fields } from '../../../contract/declarations/field.ts'
import { describedBy, field as labelled, type Page, type Problem, summaryOf } from '../../parts/markup.ts'
import { keyField, type Refusal, type RefusedForm, type Values } from '../kit/call.ts'
import { kindOf } from '../kit/fields.ts'
import { currencyOf } from '../kit/value.ts'
import type { DashboardContext, FormView } from '../kit/visit.ts'
import { fieldTitle } from '../kit/words.ts'
import { type Shape, shapeOf } from './control-kind.ts'
import { hintOf, inputOf, inputText } from './inputs.ts'
import { ADDED, CHANGE, formOfValue, marksName, marksOf } from './nested-form.ts'
import { nestedInputs } from './nested-inputs.ts'
import { inputId, partWords } from './part-words.ts'
import { problemsOf } from './problem-words.ts'
import { sentText } from './read-form.ts'
import { offeredIn } from './text-pictures.ts'

export interface FormOptions<F extends Fields = Fields> {
  fields: F
  /** The current values, or null for a new resource, whose fields have their defaults. */
  before: Values | null
  /** The refused submission, which the form shows again; null at first. */
  refused: Pick<RefusedForm, 'sent' | 'refusal'> | null
  button: string
  back: string
  danger?: boolean | undefined
  /** The layout of the fields; by default the order of their declaration. */
  view?: FormView<keyof F & string> | undefined
  above?: Page
  action?: string
}

export async function formOf<F extends Fields>(
  visit: DashboardContext,
  { before, refused, button, back, danger, above, action = visit.path, view: declared, ...given }: FormOptions<F>,
): Promise<Page> {
  const { sent = null, refusal = null } = refused ?? {}
  const view: FormView | undefined = declared
  const fields: Fields = withoutNames(given.fields, view?.without)
  const currency = sent?.get('currency') || currencyOf(before ?? {}, visit)
  const problems = problemsOf(refusal, fields, { currency, labels: view?.labels, parts: view?.parts })
  const inputs = new Map<string, Page>()
  const texts = new Map<string, string>()
  await Promise.all(
    Object.entries(fields).map(async ([name, field]) => {
      const shape = shapeOf(field)
      if (shape) {
        inputs.set(name, await structured(visit, { field, name, shape, before, sent, problems, words: view?.parts }))
        texts.set(name, '')
        return
      }
      const text =
        (sent && sentText(field, name, sent)) ??
        inputText(visit, field, before ? before[name] : field.spec.fallback, before ?? {})
      texts.set(name, text)
      const id = inputId(name)
      const words = view?.labels?.[name] ?? fieldTitle(name)
      const hint = view?.hints?.[name] ?? withoutRepeat(hintOf(visit, field), words)
      const isOptional = !isNeeded(field, before) && !isSelect(field) && !view?.needed?.includes(name)
      const label = html`${words}${isOptional ? html` <span class="optional">optional</span>` : ''}`
      const described = describedBy(id, hint, problems)
      const input = await inputOf({ visit, field, name, id, text, described, label: words, sent })
      inputs.set(name, labelled({ id, label, hint, problems, input: () => input }))
    }),
  )
  const shown = Object.keys(fields).map((name) => ({
    name,
    input: inputs.get(name)!,
    text: texts.get(name)!,
    isWrong: problems.some(({ field }) => field === inputId(name) || field?.startsWith(`${inputId(name)}.`)),
  }))
  const layout = view ? groupedInputs(shown, view) : html`${shown.map(({ input }) => input)}`
  // Enter presses the first submit button, so a hidden submit button comes before the buttons that change the form.
  const changes = String(layout).includes(` name="${CHANGE}"`)
  const also = view?.also && (before === null || view.also.offered(before)) ? view.also : null
  const alsoProblems = also ? alsoProblemsOf(refusal) : []
  const byEnter = changes ? html`<button class="unseen" tabindex="-1" aria-hidden="true">${button}</button>` : ''
  return html`${summaryOf(problems)}<form class="card form" method="post" action="${action}">
${byEnter}
<input type="hidden" name="csrf" value="${visit.csrf}">${keyField(sent, refusal)}${above ?? ''}${layout}${also ? also.input(visit, sent, alsoProblems) : ''}
<div class="form-buttons">${also ? html`<button class="primary" name="${ALSO}" value="yes">${also.button}</button>` : ''}<button${danger ? html` class="danger-solid"` : also ? '' : html` class="primary"`}>${button}</button><a class="button quiet" href="${back}">${button.startsWith('Cancel') ? 'Back' : 'Cancel'}</a></div>
</form>`
}

function withoutNames(fields: Fields, without: readonly string[] = []): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !without.includes(name)))
}

export const ALSO = 'also'

function alsoProblemsOf(refusal: Refusal | null): Problem[] {
  const [message] = refusal?.errors?.[ALSO] ?? []
  return message === undefined ? [] : [{ field: ALSO, message }]
}

/** Returns whether a field is required. When editing, texts that cannot be null are required too. */
function isNeeded({ spec }: Field, before: Values | null): boolean {
  return spec.required || (before !== null && !spec.nullable && spec.type === 'string')
}

/** Returns whether the field's input is a select. Selects have an empty option, so their labels do not say “optional”. */
function isSelect({ spec }: Field): boolean {
  return kindOf(spec) === 'flag' || kindOf(spec) === 'choice'
}

function withoutRepeat(hint: string, label: string): string {
  return hint.replace(/\.$/, '').toLowerCase() === label.toLowerCase() ? '' : hint
}

interface StructuredField {
  field: Field
  name: string
  shape: Shape
  before: Values | null
  sent: URLSearchParams | null
  problems: Problem[]
  words: FormView['parts']
}

/** Renders a structured field. A hidden input tells the server that the form contains the field, even if its list is empty. */
async function structured(
  visit: DashboardContext,
  { field, name, shape, before, sent, problems, words }: StructuredField,
): Promise<Page> {
  const id = inputId(name)
  const { spec } = field
  const value = before ? before[name] : spec.fallback
  const filled = sent?.has(name) ? sent : formOfValue(visit, shape, name, value)
  const isNew = shape.kind === 'groups' && spec.required && marksOf(filled, name).length === 0
  if (isNew) {
    filled.set(marksName(name), '0')
    filled.set(ADDED, `${name}.0`)
  }
  const hint = withoutRepeat(hintOf(visit, field), fieldTitle(name))
  const own = problems.find((problem) => problem.field === id)
  return html`<fieldset class="structured${own ? ' wrong' : ''}" id="${id}"${hint ? html` aria-describedby="${id}-hint"` : ''}><legend>${partWords(name, words).label ?? fieldTitle(name)}</legend>
<input type="hidden" name="${name}" value="">${hint ? html`<p class="hint" id="${id}-hint">${hint}</p>` : ''}${own ? html`<p class="problem">${own.message}</p>` : ''}
${nestedInputs(shape, { name, path: name, form: filled, problems, words, offered: await offeredIn(visit, name, sent) })}</fieldset>`
}

interface RenderedField {
  name: string
  input: Page
  text: string
  isWrong: boolean
}

/** Folds the inputs outside the groups, unless one of them is invalid. */
function groupedInputs(inputs: RenderedField[], { groups }: FormView): Page {
  const byName = new Map(inputs.map((input) => [input.name, input]))
  const parts = groups.map(({ title, names, when, control }) => {
    const own = names.flatMap((name) => byName.get(name) ?? [])
    if (own.length === 0) return ''
    const heading = title === undefined ? '' : html`<legend>${title}</legend>`
    const content = control ? control((name) => byName.get(name)?.text ?? '') : own.map(({ input }) => input)
    return html`<fieldset class="form-group${when ? ` ${when}` : ''}">${heading}${content}</fieldset>`
  })
  const grouped = new Set(groups.flatMap(({ names }) => names))
  return html`${parts}${foldedInputs(inputs.filter(({ name }) => !grouped.has(name)))}`
}

function foldedInputs(inputs: RenderedField[]): Page {
  if (inputs.length === 0) return html``
  const isOpen = inputs.some(({ isWrong }) => isWrong)
  return html`<details class="others"${isOpen ? html` open` : ''}><summary>More settings</summary>${inputs.map(({ input }) => input)}</details>`
}
