import { type FieldErrors, invalid, requireValid } from '../../../contract/declarations/errors.ts'
import { DEFAULT_FIELDS, type FieldType, type FormField } from './form.ts'

const SELECTS: readonly FieldType[] = ['select', 'multi_select']

/** The stored fields of a form, and the highest id that any of its fields ever had. */
export interface NumberedFields {
  fields: FormField[]
  last_field_id: number
}

/** Numbers the fields from 1, and uses default fields if none are given. Throws a 422 for invalid fields. */
export function newFields(given: readonly FormField[]): NumberedFields {
  const fields = given.length === 0 ? DEFAULT_FIELDS : given
  return settle(
    fields.map((field) => ({ ...field, id: 0 })),
    { fields: [], last_field_id: 0 },
  )
}

/** Numbers the fields of a changed form: fields with an id keep it, the others get new ids. Throws a 422 for invalid fields. */
export function changedFields(given: readonly FormField[], present: NumberedFields): NumberedFields {
  if (given.length === 0) throw invalid({ fields: ['must have at least one field'] })
  return settle(given, present)
}

function settle(given: readonly FormField[], present: NumberedFields): NumberedFields {
  requireValid({ ...idErrors(given, present), ...optionErrors(given) })
  let last_field_id = present.last_field_id
  const fields = given.map((field, index) => {
    const id = field.id === 0 ? ++last_field_id : field.id
    return { ...field, id, options: isSelect(field) ? field.options : null, position: index + 1 }
  })
  return { fields, last_field_id }
}

function idErrors(given: readonly FormField[], { fields }: NumberedFields): FieldErrors {
  const known = fields.map(({ id }) => id)
  const errors: FieldErrors = {}
  for (const [index, { id }] of given.entries()) {
    if (id === 0) continue
    if (!known.includes(id))
      errors[`fields.${index}.id`] = ['is not the id of a field of this form; omit it for a new field']
    else if (given.findIndex((other) => other.id === id) < index)
      errors[`fields.${index}.id`] = ['repeats the id of an earlier field']
  }
  return errors
}

function optionErrors(given: readonly FormField[]): FieldErrors {
  const errors: FieldErrors = {}
  for (const [index, field] of given.entries()) {
    const problem = optionProblem(field)
    if (problem !== null) errors[`fields.${index}.options`] = [problem]
  }
  return errors
}

function optionProblem(field: FormField): string | null {
  const options = field.options ?? []
  if (!isSelect(field)) return options.length > 0 ? `must be absent for ${field.type}; only selects have options` : null
  if (options.length === 0) return `must name at least one option for ${field.type}`
  return new Set(options).size < options.length ? 'must not repeat an option' : null
}

function isSelect({ type }: FormField): boolean {
  return SELECTS.includes(type)
}
