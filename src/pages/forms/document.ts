import { html } from 'hono/html'
import type { Row } from '../../contract/declarations/noun.ts'
import type { FieldType, Form, FormField } from '../../resources/audience/form/form.ts'
import type { AnswerValue, GivenAnswers } from '../../resources/audience/form-submission/form-submission.ts'
import { refusalsIn } from '../parts/answers.ts'
import { sheets, stylesheet } from '../parts/asset.ts'
import { type ClosedView, document, type Frame, type PageLink } from '../parts/document.ts'
import { field as labelled, type Page, type Problem, summaryOf } from '../parts/markup.ts'

export const FORM_REFUSALS = refusalsIn({
  foreign: 'it was not accepted. Open the form and try again.',
  tooMany: 'Too many submissions in a short time. The last one was not accepted.',
  open: 'Open the form',
  openAgain: 'Open the form again',
  undone: 'Nothing was submitted.',
  busy: 'The shop is very busy',
  broken: (requestId) => `Nothing was submitted. If this happens again, give the shop this number: ${requestId}.`,
})

export const FORM_STYLE = stylesheet('/forms/', ...sheets(import.meta.url, 'forms'))

export const HONEYPOT = 'website'

export interface ShownForm extends Pick<Row<typeof Form>, 'id' | 'name' | 'description' | 'fields'> {
  shop: Frame['shop']
}

export function formPage(form: ShownForm, typed: TypedAnswers = {}, problems: readonly Problem[] = []): Page {
  const questions = form.fields.map((field) => question({ field, typed: typed[field.id] ?? [], problems }))
  const title = problems.length > 0 ? `Problem: ${form.name}` : form.name
  const content = html`<h1>${form.name}</h1>
${form.description ? html`<p class="words">${form.description}</p>` : ''}
${summaryOf(problems)}
<form method="post" novalidate action="/forms/${form.id}">
${questions}
<div class="trap" aria-hidden="true"><label for="${HONEYPOT}">Leave this empty</label><input id="${HONEYPOT}" name="${HONEYPOT}" type="text" tabindex="-1" autocomplete="off"></div>
<p><button class="primary" type="submit" name="do" value="submit">Send</button></p>
</form>`
  return framed(form.shop, title, content)
}

export function wordsPage(
  shop: Frame['shop'],
  { title, words, way = null }: Omit<ClosedView, 'frame' | 'way'> & { way?: PageLink | null },
): Page {
  const content = html`<h1>${title}</h1><p class="words" role="status">${words}</p>
${way ? html`<p><a class="button primary" href="${way.url}" rel="noreferrer">${way.words}</a></p>` : ''}`
  return framed(shop, title, content)
}

/** The page behind a mailed link. GET changes nothing, because mail programs prefetch links. */
export function confirmPage(shop: Frame['shop'], title: string, address: string, words: Page): Page {
  const content = html`<h1>${title}</h1>
<p>${words}</p>
<form method="post" action="${address}"><p><button class="primary" type="submit" name="do" value="confirm">Confirm</button></p></form>`
  return framed(shop, title, content)
}

function framed(shop: Frame['shop'], title: string, content: Page): Page {
  const frame = { shop, test: false, style: FORM_STYLE.address }
  return document(title, frame, html`<div class="message">${content}</div>`)
}

interface Question {
  field: FormField
  typed: string[]
  problems: readonly Problem[]
}

const INPUT_ATTRIBUTES: Partial<Record<FieldType, Page>> = {
  email: html`type="email" autocomplete="email" maxlength="254"`,
  text: html`type="text" maxlength="1000"`,
  number: html`type="text" inputmode="decimal" autocomplete="off" maxlength="30"`,
  phone: html`type="tel" autocomplete="tel" maxlength="60"`,
  date: html`type="date"`,
  url: html`type="url" autocomplete="url" maxlength="2048"`,
}

function question(asked: Question): Page {
  const { field, problems } = asked
  if (field.type === 'checkbox') return singleCheckbox(asked)
  if (field.type === 'multi_select') return checkboxes(asked)
  return labelled({
    id: inputOf(field),
    label: labelOf(field),
    problems,
    input: (described) => input(asked, described),
  })
}

function labelOf({ label, required }: FormField): Page {
  return required ? html`${label}` : html`${label} <span class="optional">optional</span>`
}

function input({ field, typed }: Question, described: Page): Page {
  const { type, required, placeholder, options } = field
  const name = inputOf(field)
  const [value = ''] = typed
  const more = html`${required ? html` required` : ''}${placeholder ? html` placeholder="${placeholder}"` : ''}${described}`
  if (type === 'textarea')
    return html`<textarea id="${name}" name="${name}" rows="6" maxlength="10000"${more}>
${value}</textarea>`
  if (type === 'select')
    return html`<select id="${name}" name="${name}"${required ? html` required` : ''}${described}>
<option value="">${placeholder ?? 'Choose one'}</option>${(options ?? []).map((option) => html`<option${option === value ? html` selected` : ''}>${option}</option>`)}</select>`
  return html`<input id="${name}" name="${name}" ${INPUT_ATTRIBUTES[type]} value="${value}"${more}>`
}

/** Renders a single checkbox, whose label is the question. */
function singleCheckbox({ field, typed, problems }: Question): Page {
  const name = inputOf(field)
  const problem = problems.find((one) => one.field === name)
  return html`<div class="field${problem ? ' wrong' : ''}">${problemOf(name, problem)}
${box({ id: name, name, value: 'yes', checked: typed.length > 0, label: labelOf(field), problem })}</div>`
}

function checkboxes({ field, typed, problems }: Question): Page {
  const name = inputOf(field)
  const problem = problems.find((one) => one.field === name)
  const boxes = (field.options ?? []).map((option, index) =>
    box({
      // Error messages link to the first checkbox.
      id: index === 0 ? name : `${name}-${index}`,
      name,
      value: option,
      checked: typed.includes(option),
      label: html`${option}`,
      problem,
    }),
  )
  return html`<fieldset class="${problem ? 'wrong' : ''}"><legend>${labelOf(field)}</legend>
${problemOf(name, problem)}${boxes}</fieldset>`
}

interface CheckboxOptions {
  id: string
  name: string
  value: string
  checked: boolean
  label: Page
  problem: Problem | undefined
}

function box({ id, name, value, checked, label, problem }: CheckboxOptions): Page {
  const described = problem ? html` aria-describedby="${name}-problem" aria-invalid="true"` : ''
  return html`<div class="choice"><input type="checkbox" id="${id}" name="${name}" value="${value}"${checked ? html` checked` : ''}${described}>
<label for="${id}">${label}</label></div>`
}

function problemOf(name: string, problem: Problem | undefined): Page {
  if (!problem) return html``
  return html`<p class="problem" id="${name}-problem"><span class="unseen">Problem: </span>${problem.message}</p>`
}

/** The typed values by field id, for showing the form again. */
type TypedAnswers = Record<string, string[]>

export interface EnteredAnswers {
  typed: TypedAnswers
  answers: GivenAnswers
}

export function inputOf({ id }: Pick<FormField, 'id'>): string {
  return `answer-${id}`
}

/** Converts a submitted form to the answers in an API body. */
export function entriesOf(form: URLSearchParams, fields: readonly FormField[]): EnteredAnswers {
  const typed = Object.fromEntries(fields.map((field) => [field.id, form.getAll(inputOf(field)).map(withPlainBreaks)]))
  return { typed, answers: Object.fromEntries(fields.map((field) => [field.id, answerOf(field, typed[field.id]!)])) }
}

function answerOf({ type }: FormField, typed: string[]): AnswerValue {
  if (type === 'checkbox') return typed.length > 0
  if (type === 'multi_select') return typed
  const [text = ''] = typed
  return type === 'number' ? numberOf(text) : text
}

/** Parses a number. Text that is not a number is returned unchanged, so that the validation rejects it. */
function numberOf(text: string): AnswerValue {
  const plain = text.trim().replace(',', '.')
  return /^[+-]?\d+(\.\d+)?$/.test(plain) ? Number(plain) : text
}

/** Replaces CRLF, which browsers send for line breaks, with LF. */
function withPlainBreaks(text: string): string {
  return text.replaceAll('\r\n', '\n')
}
