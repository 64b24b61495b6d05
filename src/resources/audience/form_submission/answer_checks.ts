import { z } from 'zod'
import { email, longText, text, webAddress } from '../../../contract/declarations/kinds.ts'
import { problemOf } from '../../../contract/declarations/problems.ts'
import { storable } from '../../../contract/declarations/shared-schema.ts'
import { isCalendarDay } from '../../../contract/values/values.ts'
import type { FieldType, FormField } from '../form/form.ts'
import type { AnswerValue } from './form_submission.ts'

/** Characters of answers. */
const MAX_TEXT = 1_000
const MAX_LONG_TEXT = 10_000
/** Digits with whatever people write between them, and an extension. */
const PHONE = /^(?=.*\d.*\d.*\d)\+?[\d\s().\-/]{3,40}(\s?(x|ext\.?)\s?\d{1,6})?$/i

/** How the answer to a field of each type is checked and normalised. */
const CHECKS: Record<FieldType, (field: FormField) => z.ZodType> = {
  email: () => email('Answer').spec.schema,
  text: () => text('Answer', { max: MAX_TEXT }).spec.schema,
  textarea: () => longText('Answer', MAX_LONG_TEXT).spec.schema,
  number: () => z.number(),
  phone: () =>
    text('Answer', { max: 60, pattern: PHONE, says: 'is not a phone number; write it like +44 20 7946 0000' }).spec
      .schema,
  select: oneOption,
  multi_select: (field) => z.array(oneOption(field)).transform(withoutRepetition),
  checkbox: () => z.boolean(),
  date: () => storable().trim().refine(isCalendarDay, 'is not a date; write it like 2027-01-31'),
  url: () => webAddress('Answer', '').spec.schema,
}

function oneOption({ options }: FormField) {
  const all = options ?? []
  return z.string().refine((given) => all.includes(given), `must be one of ${all.join(', ')}`)
}

function withoutRepetition(values: string[]): string[] {
  return [...new Set(values)]
}

export type Checked = { value: AnswerValue; problem: null } | { value: null; problem: string }

/** The answer to one field as it is stored, or what is wrong with it. */
export function checkAnswer(field: FormField, given: unknown): Checked {
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

function refused(problem: string): Checked {
  return { value: null, problem }
}
