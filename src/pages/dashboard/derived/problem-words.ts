import type { Field } from '../../../contract/declarations/field.ts'
import { valueSchema } from '../../../contract/documents/schemas.ts'
import { formatMoney } from '../../../words/money.ts'
import { amountExamples } from '../../../words/money-input.ts'
import { type FieldKind, isPairs, kindOf } from '../kit/fields.ts'
import { fieldTitle } from '../kit/words.ts'
import { type Shape, shapeOf } from './shape.ts'

type Kind = FieldKind | Shape['kind']

/** The facts about a value that decide the words of a message. */
interface About {
  field: Field
  isWhole: boolean
  currency: string | null
}

/** The correct form of a value, by the kind of its field. */
const RIGHT: Record<Kind, (about: About) => string> = {
  money: ({ currency }) => (currency ? `must be an amount such as ${amountExamples(currency)}` : 'must be an amount'),
  moment: () => 'must be a date and time such as 2026-12-31 14:30',
  choice: () => 'must be chosen',
  choices: () => 'must be chosen',
  flag: () => 'must be Yes or No',
  number: (about) => `must be ${about.isWhole ? 'a whole number' : 'a number'}${rangeOf(about.field)}`,
  reference: () => 'was not found; it may have been deleted',
  references: () => 'has an entry that was not found; it may have been deleted',
  collection: () => 'is not valid',
  address: () => 'must be a web address such as https://example.com',
  email: () => 'must be an e-mail address such as name@example.com',
  texts: () => 'must have one entry per line, none of them too long',
  structure: ({ field }) =>
    isPairs(field.spec.json) ? 'must have one entry per line, such as campaign: spring' : 'must be valid JSON',
  group: () => 'is not complete',
  groups: () => 'has an entry that is not complete',
  hidden: () => 'is not valid',
  rich: () => 'has something that cannot be shown',
  long: () => 'must be text',
  text: () => 'is not valid',
}

/** Messages of the API about a value of the wrong type. */
const OF_KIND =
  /ISO 8601|JSON|\bnull\b|^must be an? (integer|number|string|boolean|array|object)\b|^must be one of |^is not (an id|a URL)|^must match |unknown keys? /

/** Words for programs within what people understand otherwise. */
const JARGON: readonly (readonly [RegExp, string])[] = [
  [/; use a lower-case ISO \d+ code such as \w+/, ''],
  [/ISO \d+ /, ''],
  [/IANA /, ''],
  [/; amounts are in minor units: .*$/, ''],
  [/ in this account \([\w.]+\)/, ' in this account'],
]

interface Options {
  field: Field | undefined
  /** The path within the field: `0`, `address`, `city`. */
  inside: readonly string[]
  currency: string | null
  labels: Readonly<Record<string, string | undefined>>
}

/** A message of the API about a field, for people who fill in a form. */
export function plainWords(message: string, { field, inside, currency, labels }: Options): string {
  if (field === undefined) return withoutJargon(message, labels)
  const kind = kindAt(field, inside)
  const isChoice = kind === 'choice' || kind === 'reference'
  const about = { field, isWhole: /integer/.test(message), currency }
  if (isChoice && message === "can't be blank") return RIGHT.choice(about)
  if (/^No such /.test(message)) return RIGHT.reference(about)
  if (OF_KIND.test(message)) return RIGHT[kind](about)
  return withoutJargon(kind === 'money' && currency ? withAmounts(message, currency) : message, labels)
}

/** Without words that only programs use: `is required with amount_off` → `is required with amount off`. */
export function withoutJargon(message: string, labels: Options['labels'] = {}): string {
  const plain = JARGON.reduce((text, [jargon, words]) => text.replace(jargon, words), message)
  return plain.replaceAll(/\b[a-z]+(_[a-z0-9]+)+\b/g, (name) => withinSentence(labels[name] ?? fieldTitle(name)))
}

/** A label, written for the middle of a sentence. */
export function withinSentence(words: string): string {
  return /^[A-Z]{2}/.test(words) ? words : words.charAt(0).toLowerCase() + words.slice(1)
}

/** The API counts in minor units. */
function withAmounts(message: string, currency: string): string {
  return message.replace(
    /(at (?:least|most)) (\d+)/,
    (_, bound, amount) => `${bound} ${formatMoney(Number(amount), currency)}`,
  )
}

function kindAt(field: Field, inside: readonly string[]): Kind {
  const shape = shapeOf(field)
  if (shape === null) return kindOf(field.spec)
  return inside.reduce<Shape>((at, part) => {
    if (/^\d+$/.test(part) || (at.kind !== 'group' && at.kind !== 'groups')) return at
    return at.parts.find(({ name }) => name === part)?.shape ?? at
  }, shape).kind
}

/** Bounds that are no larger than people count. */
function rangeOf(field: Field): string {
  const { minimum, maximum } = valueSchema(field)
  if (typeof minimum !== 'number') return ''
  if (typeof maximum === 'number' && maximum < 1_000_000) return ` from ${minimum} to ${maximum}`
  return ` of at least ${minimum}`
}
