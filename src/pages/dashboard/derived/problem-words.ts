import type { Field, Fields } from '../../../contract/declarations/field.ts'
import { valueSchema } from '../../../contract/documents/schemas.ts'
import { sentenceCase, withStop } from '../../../format/sentences.ts'
import type { Problem } from '../../parts/markup.ts'
import { type Asked, isOfKind, problemOf, withinSentence, withoutJargon } from '../../parts/problem-words.ts'
import type { Refusal } from '../kit/call.ts'
import { isPairs, kindOf } from '../kit/fields.ts'
import type { FormView } from '../kit/visit.ts'
import { fieldTitle } from '../kit/words.ts'
import { type Shape, shapeOf } from './control-kind.ts'
import { isChosen, knownInList } from './known-values.ts'
import { inputId, partWords, plainPath } from './part-words.ts'

interface ProblemOptions {
  currency?: string | null
  /** Labels that do not follow from the field's name; parts are given by path: `branding.color`. */
  labels?: Readonly<Record<string, string | undefined>> | undefined
  parts?: FormView['parts']
}

/** Returns the problems of a refused form, attached to the fields that the refusal names. */
export function problemsOf(refusal: Refusal | null, fields: Fields, options: ProblemOptions = {}): Problem[] {
  if (refusal === null || refusal.code === '') return []
  const { code, message: whole, param = '' } = refusal
  const ofParam = code === 'parameter_missing' ? "can't be blank" : whole.replace(`${param} `, '')
  const byField = Object.entries(refusal.errors ?? (param ? { [param]: [ofParam] } : {}))
  if (byField.length === 0) return [{ field: null, message: ABOUT_FORMS[code] ?? sentenceOf(whole, options) }]
  return byField.map(([path, [message = '']]) => {
    if (path === 'base') return { field: null, message: sentenceOf(message, options) }
    const asked = fieldAt(path, fields, options)
    const problem = problemOf(asked, message)
    // Some messages of operations are whole sentences already.
    return message === whole && !isOfKind(message) ? { ...problem, message: sentenceOf(whole, options) } : problem
  })
}

/** Turns an operation's error message into a sentence without technical terms. */
export function sentenceOf(message: string, { labels = {} }: ProblemOptions = {}): string {
  return withStop(sentenceCase(withoutJargon(message, (name) => labels[name] ?? fieldTitle(name))))
}

function fieldAt(path: string, fields: Fields, { currency = null, labels = {}, parts }: ProblemOptions): Asked {
  // A query parameter may be a bound of a field: `created_at[gte]`.
  const [sent = '', ...inside] = path.replace(/\[\w*\]$/, '').split('.')
  const name = Object.hasOwn(fields, sent)
    ? sent
    : (Object.keys(fields).find((one) => fields[one]!.spec.input === sent) ?? sent)
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined
  const named = (other: string) => (Object.hasOwn(labels, other) ? labels[other] : undefined)
  const nameOf = (other: string) => named(other) ?? fieldTitle(other)
  const label =
    named(plainPath(path)) ?? placeWords(named(name) ?? partWords(name, parts).label ?? fieldTitle(name), inside)
  if (!field) return { id: null, label, kind: 'text', currency, nameOf }
  const { shape, depth } = shapeAt(field, inside)
  const isPicked = shape ? shape.kind === 'choice' || knownInList(plainPath(path)) !== null : isChosen(name, field)
  const last = inside.at(-1)
  return {
    id: inputId(shape ? [name, ...inside.slice(0, depth)].join('.') : name),
    kind: isPicked ? 'choice' : (shape?.kind ?? kindOf(field.spec)),
    ...(isPicked && last !== undefined && { choice: partWords(path, parts).label ?? fieldTitle(last) }),
    ...{ label, currency, nameOf, range: rangeOf(field), isPairs: isPairs(field.spec.json) },
  }
}

/** Adds the path within a field to its label: `Members` and `0.address.line1` become `Members 1: address, line 1`. */
function placeWords(words: string, inside: string[]): string {
  const said = inside
    .map((part) => (/^\d+$/.test(part) ? ` ${Number(part) + 1}` : `, ${withinSentence(fieldTitle(part))}`))
    .join('')
  return words + said.replace(',', ':')
}

/** Messages for errors about details that people cannot see, such as idempotency keys. */
const ABOUT_FORMS: Readonly<Record<string, string>> = {
  idempotency_key_reused:
    'This form was already sent with different values. Check the result first: sending it again repeats the action.',
  idempotency_key_in_use: 'This form was just sent and is still being processed. Try again in a moment.',
}

/** Finds the innermost input on a path within a field: the entries of a list of texts share one input. */
function shapeAt(field: Field, inside: readonly string[]): { shape: Shape | null; depth: number } {
  let shape = shapeOf(field)
  let depth = 0
  for (const part of inside) {
    if (shape?.kind !== 'group' && shape?.kind !== 'groups') break
    if (!/^\d+$/.test(part)) shape = shape.parts.find(({ name }) => name === part)?.shape ?? shape
    depth += 1
  }
  return { shape, depth }
}

/** Returns the allowed range of a field in words, without a maximum that is too large to be useful. */
function rangeOf(field: Field): string {
  const { minimum, maximum } = valueSchema(field)
  if (typeof minimum !== 'number') return ''
  if (typeof maximum === 'number' && maximum < 1_000_000) return ` from ${minimum} to ${maximum}`
  return ` of at least ${minimum}`
}
