import type { FormField } from '../../resources/audience/form/form.ts'
import type { AnswerValue, GivenAnswers } from '../../resources/audience/form_submission/form_submission.ts'

/** What was typed, by the id of the field, to be shown again. */
export type Typed = Record<string, string[]>

export interface Entered {
  typed: Typed
  answers: GivenAnswers
}

/** The name, and the id in the page, of a field's input. */
export function inputOf({ id }: Pick<FormField, 'id'>): string {
  return `answer-${id}`
}

/** Reads a posted form as a body of the API would say it. */
export function entriesOf(form: URLSearchParams, fields: readonly FormField[]): Entered {
  const typed = Object.fromEntries(fields.map((field) => [field.id, form.getAll(inputOf(field)).map(withPlainBreaks)]))
  return { typed, answers: Object.fromEntries(fields.map((field) => [field.id, answerOf(field, typed[field.id]!)])) }
}

function answerOf({ type }: FormField, typed: string[]): AnswerValue {
  if (type === 'checkbox') return typed.length > 0
  if (type === 'multi_select') return typed
  const [text = ''] = typed
  return type === 'number' ? numberOf(text) : text
}

/** A number as people type it; other text stays, and is refused. */
function numberOf(text: string): AnswerValue {
  const plain = text.trim().replace(',', '.')
  return /^[+-]?\d+(\.\d+)?$/.test(plain) ? Number(plain) : text
}

/** Browsers send line breaks in the form of e-mails. */
function withPlainBreaks(text: string): string {
  return text.replaceAll('\r\n', '\n')
}
