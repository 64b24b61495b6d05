import type { Noun } from '../../../contract/declarations/noun.ts'
import { nameOfPrice } from '../../../resources/catalog/price_variant/in_words.ts'
import type { Values } from './ask.ts'
import { valueTitle } from './words.ts'

/** Fields that name a thing, the best first. */
const NAMES = [
  'name',
  'title',
  'number',
  'code',
  'email',
  'subject',
  'label',
  'display_name',
  'username',
  'filename',
  'product_name',
  'content',
]
const MAX_NAME = 80

/** The field that a noun's things are called by, or null where they have only ids. */
export function nameField(noun: Noun): string | null {
  return NAMES.find((name) => Object.hasOwn(noun.fields, name)) ?? null
}

/** What a thing is called: its name, or the end of its id. */
export function nameOf(values: Values): string {
  if (isPrice(values)) return nameOfPrice(values)
  const name = ownName(values)
  // A shop is called the same on all of its networks.
  return values.object === 'social_account' ? `${valueTitle(String(values.platform))} ${name}` : name
}

function ownName(values: Values): string {
  const field = NAMES.find((name) => typeof values[name] === 'string' && values[name] !== '')
  if (field) return shortened(String(values[field]))
  return typeof values.id === 'string' ? shortId(values.id) : ''
}

type Price = Parameters<typeof nameOfPrice>[0]

function isPrice(values: Values | Price): values is Price {
  return 'object' in values && values.object === 'price_variant' && 'amount_type' in values
}

/** Ids begin alike, since they sort by time: what tells them apart is their end. */
export function shortId(id: string): string {
  const [prefix, rest] = [id.slice(0, id.lastIndexOf('_')), id.slice(id.lastIndexOf('_') + 1)]
  return rest.length > 12 ? `${prefix}_…${rest.slice(-8)}` : id
}

export function shortened(text: string, most = MAX_NAME): string {
  return text.length > most ? `${text.slice(0, most - 1).trimEnd()}…` : text
}
