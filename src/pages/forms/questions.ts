import { html } from 'hono/html'
import type { FieldType, FormField } from '../../resources/audience/form/form.ts'
import { field as labelled, type Page, type Problem } from '../parts/markup.ts'
import { inputOf } from './entries.ts'

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

export function question(asked: Question): Page {
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

/** The label of the single checkbox is the question. */
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
