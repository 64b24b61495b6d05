import { formatMoney } from '../../format/money.ts'
import { amountExamples } from '../../format/money-input.ts'
import { inWords } from '../../format/names.ts'
import { sentenceCase, withStop } from '../../format/sentences.ts'
import type { Problem } from './markup.ts'

interface ValueFacts {
  kind: ValueKind
  currency?: string | null
  /** The limits of a number in words: ` from 1 to 20`. */
  range?: string
  /** Whether the value is an object with free keys and text values. */
  isPairs?: boolean
  nameOf?(field: string): string
}

export interface Asked extends ValueFacts {
  id: string | null
  /** The message begins with the label. */
  label: string
  blank?: string
  /** The noun in `Choose a …`, if it differs from the label. */
  choice?: string
}

const CORRECT_FORMS = {
  money: ({ currency }) => (currency ? `must be an amount such as ${amountExamples(currency)}` : 'must be an amount'),
  moment: () => 'must be a date and time such as 2026-12-31 14:30',
  flag: () => 'must be Yes or No',
  number: ({ range = '' }, message) => `must be ${/integer/.test(message) ? 'a whole number' : 'a number'}${range}`,
  reference: () => 'was not found; it may have been deleted',
  references: () => 'has an entry that was not found; it may have been deleted',
  collection: () => 'is not valid',
  address: () => 'must be a web address such as https://example.com',
  email: () => 'must be an e-mail address such as name@example.com',
  texts: () => 'must have one entry per line, none of them too long',
  structure: ({ isPairs }) =>
    isPairs ? 'must have one entry per line, such as campaign: spring' : 'must be valid JSON',
  group: () => 'is not complete',
  groups: () => 'has an entry that is not complete',
  hidden: () => 'is not valid',
  rich: () => 'has something that cannot be shown',
  long: () => 'must be text',
  text: () => 'is not valid',
} satisfies Record<string, (about: ValueFacts, message: string) => string>

type TypedKind = keyof typeof CORRECT_FORMS

export type ValueKind = TypedKind | 'choice' | 'choices'

/** Matches an API message about a value of the wrong type. */
const TYPE_MESSAGE =
  /ISO 8601|ISO 4217|IANA|JSON|\bnull\b|^must be an? (integer|number|string|boolean|array|object|amount)\b|^must be one of |^must be the two letters |^is not (an id|a URL)|^must match |unknown keys? /

/** Returns whether a message is about the value's type. Pages replace it with a text for the kind of value. */
export function isOfKind(message: string): boolean {
  return TYPE_MESSAGE.test(message)
}

const JARGON: readonly (readonly [RegExp, string])[] = [
  [/; use a lower-case ISO \d+ code such as \w+/, ''],
  [/ISO \d+ /, ''],
  [/ \(ISO [\d-]+\)/, ''],
  [/IANA /, ''],
  [/must not contain NUL characters or lone surrogates/, 'has characters that cannot be stored'],
  [/; amounts are in minor units: .*$/, ''],
  [/ in this account \([\w.]+\)/, ' in this account'],
]

function plainWords(message: string, about: ValueFacts): string {
  const { kind, currency } = about
  const right = (one: TypedKind) => CORRECT_FORMS[one](about, message)
  if (message === 'is not a valid e-mail address') return right('email')
  if (/^No such /.test(message)) return right('reference')
  if (/ISO 8601/.test(message)) return right('moment')
  if (isOfKind(message) && !isListed(kind)) return right(kind)
  return withoutJargon(kind === 'money' && currency ? withAmounts(message, currency) : message, about.nameOf)
}

/** Replaces technical terms: `is required with amount_off` becomes `is required with amount off`. */
export function withoutJargon(message: string, nameOf: (field: string) => string = inWords): string {
  const plain = JARGON.reduce((text, [jargon, words]) => text.replace(jargon, words), message)
  return plain.replaceAll(/\b[a-z]+(_[a-z0-9]+)+\b/g, (name) => withinSentence(nameOf(name)))
}

/** Converts the first letter of a label to lower case, unless the label begins with an abbreviation. */
export function withinSentence(words: string): string {
  return /^[A-Z]{2}/.test(words) ? words : words.charAt(0).toLowerCase() + words.slice(1)
}

/** Converts an operation's message, such as `can't be blank`, to a problem. All pages get their wording from this function. */
export function problemOf(asked: Asked, message: string): Problem {
  const { id, kind, label, blank, choice = label } = asked
  const isBlank = message === "can't be blank"
  if (isBlank && blank !== undefined) return { field: id, message: blank }
  if (isBlank && (isListed(kind) || kind === 'reference'))
    return { field: id, message: `Choose ${withArticle(choice)}.` }
  if (isListed(kind) && isOfKind(message)) return { field: id, message: `Choose ${withArticle(choice)} from the list.` }
  return { field: id, message: withStop(`${sentenceCase(label)} ${plainWords(message, asked)}`) }
}

function isListed(kind: ValueKind): kind is 'choice' | 'choices' {
  return kind === 'choice' || kind === 'choices'
}

/** Adds an article: `Price` becomes `a price`, and `Country of the shop` becomes `the country of the shop`. */
function withArticle(label: string): string {
  const words = withinSentence(label)
  if (/\bof the\b/.test(words)) return `the ${words}`
  return /[^su]s$/.test(words) ? words : `${/^[aeio]/i.test(words) ? 'an' : 'a'} ${words}`
}

/** Formats the amounts in a message, which the API gives in minor units. */
function withAmounts(message: string, currency: string): string {
  return message.replace(
    /(at (?:least|most)) (\d+)/,
    (_, bound, amount) => `${bound} ${formatMoney(Number(amount), currency)}`,
  )
}

export const EMAIL: Asked = {
  id: 'email',
  label: 'E-mail address',
  kind: 'email',
  blank: 'Enter your e-mail address.',
}
