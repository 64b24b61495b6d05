import type { FieldErrors } from '../../contract/declarations/errors.ts'
import type { FormField } from '../../resources/audience/form/form.ts'
import type { Problem } from '../parts/problem.ts'
import { inputOf } from './entries.ts'

/** The refusals of a submission in the order of the page, each in words about its question. */
export function problemsOf(errors: FieldErrors, fields: readonly FormField[]): Problem[] {
  const places = fields.map(inputOf)
  return Object.entries(errors)
    .map(([name, [message = '']]) => problemOf(name, message, fields))
    .toSorted((one, other) => places.indexOf(one.field ?? '') - places.indexOf(other.field ?? ''))
}

function problemOf(name: string, message: string, fields: readonly FormField[]): Problem {
  const field = fieldOf(name, fields)
  if (!field) return { field: null, message: `The form ${message}.` }
  return { field: inputOf(field), message: `“${field.label}” ${inWords(field, message)}.` }
}

/** The rules speak of the respondent's address and name besides the answers. */
function fieldOf(name: string, fields: readonly FormField[]): FormField | undefined {
  const id = Number(/^answers\.(\d+)$/.exec(name)?.[1])
  if (name === 'email') return fields.find(({ type }) => type === 'email')
  return name === 'name' ? fields.find(({ type }) => type === 'text') : fields.find((field) => field.id === id)
}

function inWords({ type }: FormField, message: string): string {
  if (message === "can't be blank") return type === 'select' || type === 'multi_select' ? 'needs a choice' : message
  return type === 'number' ? 'must be a number, such as 12 or 12.5' : message
}
