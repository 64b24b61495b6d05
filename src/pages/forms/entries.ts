import type { FormField } from '../../resources/audience/form/form.ts'
import type { AnswerValue, GivenAnswers } from '../../resources/audience/form-submission/form-submission.ts'

/** The typed values by field id, for showing the form again. */
export type TypedAnswers = Record<string, string[]>

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

/** Text that is not a number is returned unchanged, so that the validation rejects it. */
function numberOf(text: string): AnswerValue {
  const plain = text.trim().replace(',', '.')
  return /^[+-]?\d+(\.\d+)?$/.test(plain) ? Number(plain) : text
}

/** Browsers send line breaks as CRLF. */
function withPlainBreaks(text: string): string {
  return text.replaceAll('\r\n', '\n')
}
