import type { FormField } from '../../resources/audience/form/form.ts'
import type { AnswerValue, GivenAnswers } from '../../resources/audience/form-submission/form-submission.ts'

/** Typed values by field id, for showing the form again. */
export type TypedAnswers = Record<string, string[]>

export interface EnteredAnswers {
  typed: TypedAnswers
  answers: GivenAnswers
}

/** Returns the name and id of a field's input. */
export function inputOf({ id }: Pick<FormField, 'id'>): string {
  return `answer-${id}`
}

/** Converts a submitted form to the values of an API body. */
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

/** Parses a typed number; other text is kept for the validation to reject. */
function numberOf(text: string): AnswerValue {
  const plain = text.trim().replace(',', '.')
  return /^[+-]?\d+(\.\d+)?$/.test(plain) ? Number(plain) : text
}

/** Browsers submit line breaks as CRLF. */
function withPlainBreaks(text: string): string {
  return text.replaceAll('\r\n', '\n')
}
