import type { Field, Fields } from '../../../contract/declarations/field.ts'
import type { InputOf } from '../../../contract/declarations/noun.ts'
import { jsonIn } from '../../../contract/values/json.ts'
import { readAmount } from '../../../format/money-input.ts'
import type { Values } from '../kit/call.ts'
import { isPairs, kindOf } from '../kit/fields.ts'
import { momentOfInput } from '../kit/times.ts'
import { currencyOf } from '../kit/value.ts'
import type { DashboardContext } from '../kit/visit.ts'
import { type Shape, shapeOf } from './control-kind.ts'
import { sentPicture } from './file-inputs.ts'
import { inputText } from './inputs.ts'
import { isChosen } from './known-values.ts'
import { formOfValue, linesOf, valueOfForm } from './nested-form.ts'

/** The values read from a form. They are untyped if the fields are only known at run time. */
type ReadValues<F extends Fields> = string extends keyof F ? object : Partial<InputOf<F>>

/** Reads an operation's body without the fields that equal `before`. Values that cannot be parsed are left for the operation to refuse. */
export function readBody<F extends Fields>(
  visit: DashboardContext,
  fields: F,
  form: URLSearchParams,
  before: Values | null,
): ReadValues<F> {
  const currency = form.get('currency') || String(before?.currency ?? '') || visit.account.default_currency
  const body: Values = {}
  for (const [name, field] of Object.entries(fields)) {
    const shape = shapeOf(field)
    if (shape) {
      const value = form.has(name) ? nestedValue(visit, shape, name, form, before) : undefined
      if (value !== undefined) body[name] = value
      continue
    }
    const text = sentText(field, name, form)
    if (text === undefined || isUntouched(visit, field, name, text, before, currency)) continue
    const value = typedValue(visit, field, text, currency)
    // Treats a select without a choice as a missing value.
    if (value === undefined || (value === '' && before === null && isChosen(name, field))) continue
    body[name] = before ? merged(field, before[name], value) : value
  }
  return body as ReadValues<F>
}

/** Returns the text that a form sent for a field. References are checkboxes, whose values are joined by line breaks. */
export function sentText({ spec }: Field, name: string, form: URLSearchParams): string | undefined {
  const kind = kindOf(spec)
  const text =
    kind === 'references' && form.has(name)
      ? form.getAll(name).filter(Boolean).join('\n')
      : kind === 'address'
        ? sentPicture(form, name)
        : form.get(name)
  return text?.replaceAll('\r\n', '\n')
}

function nestedValue(
  visit: DashboardContext,
  shape: Shape,
  name: string,
  form: URLSearchParams,
  before: Values | null,
): unknown {
  const value = valueOfForm(visit, shape, name, form)
  if (before === null) return shape.kind !== 'group' && (value as unknown[]).length === 0 ? undefined : value
  const was = valueOfForm(visit, shape, name, formOfValue(visit, shape, name, before[name]))
  return JSON.stringify(was) === JSON.stringify(value) ? undefined : value
}

/** Returns whether the form leaves a field unchanged. An amount with the same digits is changed if its currency changed. */
function isUntouched(
  visit: DashboardContext,
  field: Field,
  name: string,
  text: string,
  before: Values | null,
  currency: string,
): boolean {
  if (before === null || text !== inputText(visit, field, before[name], before)) return false
  return text === '' || kindOf(field.spec) !== 'money' || currency === currencyOf(before, visit)
}

/** Parses an input's text. Undefined means that the input is empty and the field stays unset. */
function typedValue(visit: DashboardContext, field: Field, text: string, currency: string): unknown {
  const { spec } = field
  const kind = kindOf(spec)
  if (text.trim() === '') {
    if (kind === 'texts' || kind === 'references') return []
    if (kind === 'structure' && isPairs(spec.json)) return {}
    if (spec.nullable) return null
    return spec.required && spec.type === 'string' ? '' : undefined
  }
  switch (kind) {
    case 'money':
      return readAmount(text, currency) ?? text
    case 'moment':
      return momentOfInput(text, visit.account.timezone)
    case 'flag':
      return text === 'true' ? true : text === 'false' ? false : text
    case 'number':
      return /^\s*-?\d+(\.\d+)?\s*$/.test(text) ? Number(text) : text
    case 'references':
    case 'texts':
      return linesOf(text)
    case 'structure':
    case 'collection':
      return isPairs(spec.json) ? pairsOf(text) : jsonIn(text, text)
    case 'reference':
      return text.trim()
    default:
      return text
  }
}

/** Sends removed keys as null, because updates merge key-value pairs. */
function merged({ spec }: Field, before: unknown, value: unknown): unknown {
  if (!isPairs(spec.json) || typeof before !== 'object' || before === null) return value
  const gone = Object.keys(before).filter((key) => !Object.hasOwn(value as object, key))
  return { ...(value as object), ...Object.fromEntries(gone.map((key) => [key, null])) }
}

function pairsOf(text: string): Values {
  return Object.fromEntries(
    linesOf(text).map((line) => {
      const colon = line.indexOf(':')
      return colon < 0 ? [line, ''] : [line.slice(0, colon).trim(), line.slice(colon + 1).trim()]
    }),
  )
}
