import { type FieldErrors, invalid } from '../../../contract/declarations/errors.ts'
import { cut } from '../../../contract/values/values.ts'
import { MAX_NAME } from '../customer/customer.ts'
import type { FieldType, FormField, FormRow } from '../form/form.ts'
import { checkAnswer } from './answer_checks.ts'
import type { Answer, GivenAnswers } from './form_submission.ts'

/** Fields that a refusal names, and how much of their labels: enough to see that answers go by id. */
const MOST_FIELDS_NAMED = 20
const MAX_LABEL_NAMED = 40

/** What somebody sends in: who it is, and values by the id of the field. */
export interface Given {
  email?: string | null | undefined
  name?: string | null | undefined
  answers: GivenAnswers
}

/** What is stored of it. */
export interface Read {
  email: string | null
  name: string | null
  answers: Answer[]
}

/**
 * Holds what was sent in against the fields of a form. E-mail and name answer the first field of type email and text, unless
 * that is answered, and the other way round. Throws a 422 that names each wrong answer as `answers.<id>`.
 */
export function readAnswers({ fields, confirmation_required }: FormRow, given: Given): Read {
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

/** Blank answers count as absent. */
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
