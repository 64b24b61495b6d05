import { z } from 'zod'
import { type FieldErrors, invalid } from '../../../contract/declarations/errors.ts'
import { email, longText, text, webAddress } from '../../../contract/declarations/kinds.ts'
import { problemOf } from '../../../contract/declarations/problems.ts'
import { storable } from '../../../contract/declarations/shared-schema.ts'
import { isDay } from '../../../contract/values/days.ts'
import { cut } from '../../../contract/values/values.ts'
import { MAX_NAME } from '../customer/customer.ts'
import type { FieldType, FormField, FormRow } from '../form/form.ts'
import type { Answer, AnswerValue, GivenAnswers } from './form-submission.ts'

const MAX_TEXT = 1_000
const MAX_LONG_TEXT = 10_000
const PHONE = /^(?=.*\d.*\d.*\d)\+?[\d\s().\-/]{3,40}(\s?(x|ext\.?)\s?\d{1,6})?$/i

/** Schemas that check and normalise an answer, by field type. */
const CHECKS: Record<FieldType, (field: FormField) => z.ZodType> = {
  email: () => email('Answer').spec.schema,
  text: () => text('Answer', { max: MAX_TEXT }).spec.schema,
  textarea: () => longText('Answer', MAX_LONG_TEXT).spec.schema,
  number: () => z.number(),
  phone: () =>
    text('Answer', { max: 60, pattern: PHONE, says: 'is not a phone number; write it like +44 20 7946 0000' }).spec
      .schema,
  select: oneOption,
  multi_select: (field) => z.array(oneOption(field)).transform((values) => [...new Set(values)]),
  checkbox: () => z.boolean(),
  date: () => storable().trim().refine(isDay, 'is not a date; write it like 2027-01-31'),
  url: () => webAddress('Answer', '').spec.schema,
}

/** Limits on the fields that an error message lists, and on the characters of their labels. */
const MOST_FIELDS_NAMED = 20
const MAX_LABEL_NAMED = 40

export interface SubmissionInput {
  email?: string | null | undefined
  name?: string | null | undefined
  answers: GivenAnswers
}

export interface CheckedSubmission {
  email: string | null
  name: string | null
  answers: Answer[]
}

/**
 * Checks and normalizes a submission. `email` and `name` also answer the first fields of type email and text, and vice versa.
 * Throws a 422 that names wrong answers.
 */
export function readAnswers({ fields, confirmation_required }: FormRow, given: SubmissionInput): CheckedSubmission {
  const [emailField, nameField] = [firstOf(fields, 'email'), firstOf(fields, 'text')]
  const values = { ...filled(emailField, given.email), ...filled(nameField, given.name), ...present(given.answers) }
  const errors = unknownIds(fields, values)
  const answers = fields.map((field) => answerOf(field, values[field.id], errors))
  const valueFor = (field: FormField | undefined) =>
    answers.find(({ field_id }) => field_id === field?.id)?.value ?? null
  const email = given.email ?? (valueFor(emailField) as string | null)
  if (confirmation_required && email === null && emailField)
    errors[`answers.${emailField.id}`] ??= ["can't be blank; the confirmation is sent to it"]
  if (Object.keys(errors).length > 0) throw invalid(errors)
  const name = given.name ?? (valueFor(nameField) as string | null)
  return { email, name: name === null ? null : cut(name, MAX_NAME), answers }
}

function firstOf(fields: readonly FormField[], type: FieldType): FormField | undefined {
  return fields.find((field) => field.type === type)
}

function filled(field: FormField | undefined, value: string | null | undefined): GivenAnswers {
  return field && value ? { [field.id]: value } : {}
}

function present(answers: GivenAnswers): GivenAnswers {
  return Object.fromEntries(Object.entries(answers).filter(([, value]) => value !== null && value !== ''))
}

function unknownIds(fields: readonly FormField[], values: GivenAnswers): FieldErrors {
  const known = new Set(fields.map(({ id }) => String(id)))
  const unknown = Object.keys(values).filter((id) => !known.has(id))
  const ids = fields.slice(0, MOST_FIELDS_NAMED).map(({ id, label }) => `${id} (${cut(label, MAX_LABEL_NAMED)})`)
  const more = fields.length > ids.length ? ' …' : ''
  const problem = `is not the id of a field of this form; they are ${ids.join(', ')}${more}`
  return Object.fromEntries(unknown.map((id) => [`answers.${id}`, [problem]]))
}

function answerOf(field: FormField, given: unknown, errors: FieldErrors): Answer {
  const { value, problem } = checkAnswer(field, given)
  if (problem !== null) errors[`answers.${field.id}`] = [problem]
  return { field_id: field.id, label: field.label, value, required: field.required, field_type: field.type }
}

function oneOption({ options }: FormField) {
  const all = options ?? []
  return z.string().refine((given) => all.includes(given), `must be one of ${all.join(', ')}`)
}

type CheckedAnswer = { value: AnswerValue; problem: null } | { value: null; problem: string }

function checkAnswer(field: FormField, given: unknown): CheckedAnswer {
  if (isBlank(given)) return field.required ? refused("can't be blank") : { value: null, problem: null }
  const result = CHECKS[field.type](field).safeParse(given, { error: problemOf })
  if (!result.success) return refused(result.error.issues[0]!.message)
  if (field.type === 'checkbox' && field.required && result.data === false) return refused('must be checked')
  return { value: result.data as AnswerValue, problem: null }
}

function isBlank(given: unknown): boolean {
  if (typeof given === 'string') return given.trim() === ''
  return given === undefined || given === null || (Array.isArray(given) && given.length === 0)
}

function refused(problem: string): CheckedAnswer {
  return { value: null, problem }
}
