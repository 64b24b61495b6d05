import { formatMoney } from '../../words/money.ts'
import { amountExamples } from '../../words/money-input.ts'
import { inWords } from '../../words/names.ts'
import { sentenceCase, withStop } from '../../words/sentences.ts'
import type { Problem } from './markup.ts'

/** The facts about a value that decide the words of a message. */
export interface About {
  kind: ValueKind
  /** The currency of an amount, which its examples and bounds are written in. */
  currency?: string | null
  /** The bounds of a number: ` from 1 to 20`. */
  range?: string
  /** The value of each entry is a text, and its key is free. */
  isPairs?: boolean
  /** Gives the label of a field that a message names. */
  nameOf?(field: string): string
}

/** A value that a page asks for. */
export interface Asked extends About {
  /** The id of its input, or null where it has none. */
  id: string | null
  /** The label, which begins the sentence. */
  label: string
  /** The whole sentence where it is empty. */
  blank?: string
  /** The words for what is chosen, where the label has more. */
  choice?: string
}

/** The correct form of a value, by its kind. */
const RIGHT = {
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
} satisfies Record<string, (about: About, message: string) => string>

type TypedKind = keyof typeof RIGHT

/** The kinds of values that people fill in, or choose. */
export type ValueKind = TypedKind | 'choice' | 'choices'

/** Messages of the API about a value of the wrong type. */
const OF_KIND =
  /ISO 8601|ISO 4217|IANA|JSON|\bnull\b|^must be an? (integer|number|string|boolean|array|object|amount)\b|^must be one of |^must be the two letters |^is not (an id|a URL)|^must match |unknown keys? /

/** Whether a message is about the type of a value, and is said in words for its kind. */
export function isOfKind(message: string): boolean {
  return OF_KIND.test(message)
}

/** Words for programs within what people understand otherwise. */
const JARGON: readonly (readonly [RegExp, string])[] = [
  [/; use a lower-case ISO \d+ code such as \w+/, ''],
  [/ISO \d+ /, ''],
  [/ \(ISO [\d-]+\)/, ''],
  [/IANA /, ''],
  [/must not contain NUL characters or lone surrogates/, 'has characters that cannot be stored'],
  [/; amounts are in minor units: .*$/, ''],
  [/ in this account \([\w.]+\)/, ' in this account'],
]

/** A message of the API about a value, for people who fill it in. */
function plainWords(message: string, about: About): string {
  const { kind, currency } = about
  const right = (one: TypedKind) => RIGHT[one](about, message)
  if (message === 'is not a valid e-mail address') return right('email')
  if (/^No such /.test(message)) return right('reference')
  if (/ISO 8601/.test(message)) return right('moment')
  if (isOfKind(message) && !isListed(kind)) return right(kind)
  return withoutJargon(kind === 'money' && currency ? withAmounts(message, currency) : message, about.nameOf)
}

/** Without words that only programs use: `is required with amount_off` → `is required with amount off`. */
export function withoutJargon(message: string, nameOf: (field: string) => string = inWords): string {
  const plain = JARGON.reduce((text, [jargon, words]) => text.replace(jargon, words), message)
  return plain.replaceAll(/\b[a-z]+(_[a-z0-9]+)+\b/g, (name) => withinSentence(nameOf(name)))
}

/** A label, written for the middle of a sentence. */
export function withinSentence(words: string): string {
  return /^[A-Z]{2}/.test(words) ? words : words.charAt(0).toLowerCase() + words.slice(1)
}

/** Makes the problem of a value from the message of a rule: `can't be blank`. Every page says problems by this function. */
export function problemOf(asked: Asked, message: string): Problem {
  const { id, kind, label, blank, choice = label } = asked
  const isBlank = message === "can't be blank"
  if (isBlank && blank !== undefined) return { field: id, message: blank }
  if (isBlank && (isListed(kind) || kind === 'reference')) return { field: id, message: `Choose ${oneOf(choice)}.` }
  if (isListed(kind) && isOfKind(message)) return { field: id, message: `Choose ${oneOf(choice)} from the list.` }
  return { field: id, message: withStop(`${sentenceCase(label)} ${plainWords(message, asked)}`) }
}

function isListed(kind: ValueKind): kind is 'choice' | 'choices' {
  return kind === 'choice' || kind === 'choices'
}

/** `Price` → `a price`, `Country of the shop` → `the country of the shop`, `Events` → `events`. */
function oneOf(label: string): string {
  const words = withinSentence(label)
  if (/\bof the\b/.test(words)) return `the ${words}`
  return /[^su]s$/.test(words) ? words : `${/^[aeio]/i.test(words) ? 'an' : 'a'} ${words}`
}

/** The API counts in minor units. */
function withAmounts(message: string, currency: string): string {
  return message.replace(
    /(at (?:least|most)) (\d+)/,
    (_, bound, amount) => `${bound} ${formatMoney(Number(amount), currency)}`,
  )
}

/** The field for the e-mail address of a visitor. */
export const EMAIL: Asked = {
  id: 'email',
  label: 'E-mail address',
  kind: 'email',
  blank: 'Enter your e-mail address.',
}
