import type { FieldErrors } from '../../contract/declarations/errors.ts'
import type { FieldType, FormField } from '../../resources/audience/form/form.ts'
import type { Problem } from '../parts/markup.ts'
import { problemOf, type ValueKind } from '../parts/problem-words.ts'
import { inputOf } from './entries.ts'

/** The refusals of a submission in the order of the page, each in words about its question. */
export function problemsOf(errors: FieldErrors, fields: readonly FormField[]): Problem[] {
  const places = fields.map(inputOf)
  return Object.entries(errors)
    .map(([name, [message = '']]) => problemAt(name, message, fields))
    .toSorted((one, other) => places.indexOf(one.field ?? '') - places.indexOf(other.field ?? ''))
}

/** The kind of value that each type of question asks for. */
const KINDS: Readonly<Record<FieldType, ValueKind>> = {
  email: 'email',
  text: 'text',
  textarea: 'long',
  number: 'number',
  phone: 'text',
  select: 'choice',
  multi_select: 'choices',
  checkbox: 'flag',
  date: 'text',
  url: 'address',
}

function problemAt(name: string, message: string, fields: readonly FormField[]): Problem {
  const field = fieldOf(name, fields)
  if (!field) return problemOf({ id: null, label: 'The form', kind: 'text' }, message)
  const range = ', such as 12 or 12.5'
  const label = `“${field.label}”`
  const asked = { id: inputOf(field), label, choice: `answer to ${label}`, kind: KINDS[field.type], range }
  return problemOf(asked, message)
}

/** The rules speak of the respondent's address and name besides the answers. */
function fieldOf(name: string, fields: readonly FormField[]): FormField | undefined {
  const id = Number(/^answers\.(\d+)$/.exec(name)?.[1])
  if (name === 'email') return fields.find(({ type }) => type === 'email')
  return name === 'name' ? fields.find(({ type }) => type === 'text') : fields.find((field) => field.id === id)
}
