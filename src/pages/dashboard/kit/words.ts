import type { Noun } from '../../../contract/declarations/noun.ts'
import { inWords } from '../../../format/names.ts'
import { US_STATE_NAMES } from '../../../format/regions.ts'
import { sentenceCase } from '../../../format/sentences.ts'
import { nameOfPrice } from '../../../resources/catalog/price-variant/in-words.ts'
import type { Values } from './call.ts'

/** Names of fields that can serve as a resource's name, in order of preference. */
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

/** Words with special capitalization. */
const OWN = mapOf({
  id: 'ID',
  url: 'URL',
  html: 'HTML',
  cta: 'CTA',
  seo: 'SEO',
  ai: 'AI',
  api: 'API',
  ein: 'EIN',
  naics: 'NAICS',
  x402: 'x402',
  github: 'GitHub',
  ai_site: 'Site',
  email: 'e-mail',
  emails: 'e-mails',
  line1: 'line 1',
  line2: 'line 2',
  timezone: 'time zone',
  vat: 'VAT',
  log_entries: 'Log',
  price_variant: 'Price',
  price_variants: 'Prices',
  x402_configuration: 'x402',
})

/** Returns a name as a label: `price_variant` becomes `Price variant`, and `seo_title` becomes `SEO title`. */
export function title(name: string): string {
  const known = OWN.get(name)
  if (known !== undefined) return known.startsWith('x402') ? known : sentenceCase(known)
  const words = name.split('_').map((word) => OWN.get(word) ?? word)
  return sentenceCase(words.join(' '))
}

/** The merchant's words for resources that the API calls by another name. */
const CALLED = mapOf({
  price_variant: 'price',
  ai_site: 'site',
  ai_task: 'task',
  ai_task_run: 'task run',
  webhook_endpoint: 'webhook endpoint',
  email: 'e-mail',
})

/** Returns the merchant's word for a resource: `price_variant` becomes `price`. */
export function calledOf(object: string): string {
  return CALLED.get(object) ?? inWords(object)
}

/** Labels of fields whose names mean little to people who are not developers. */
const FIELDS = mapOf({
  access_mode: 'Who may visit',
  access_type: 'Access',
  app_url: 'Address',
  author_name: 'Author',
  author_username: 'Author’s account',
  avatar_url: 'Picture',
  build_status: 'State',
  featured_image_alt: 'Alternative text',
  featured_image_url: 'Picture',
  filename: 'File name',
  github_repo_full_name: 'GitHub repository',
  indexable: 'Search engines may list it',
  item_type: 'Kind',
  link_url: 'Link',
  success_url: 'Page after the payment',
  trigger_type: 'Starts',
})

/** Returns the label of a field: `created_at` becomes `Created`, `runs_count` becomes `Runs`, and `is_live` becomes `Live`. */
export function fieldTitle(name: string): string {
  return FIELDS.get(name) ?? title(name.replace(/^is_(?=.)|(?<=.)_(at|ms|count)$/g, ''))
}

export function pluralTitle(plural: string): string {
  return title(plural)
}

/** Labels of enum values that do not follow from the value. */
const VALUES = new Map<string, string>([
  ...Object.entries(US_STATE_NAMES),
  ['email', 'E-mail'],
  ['textarea', 'Long text'],
  ['select', 'Single choice'],
  ['multi_select', 'Multiple choice'],
  ['url', 'Web address'],
  ['linkedin', 'LinkedIn'],
  ['tiktok', 'TikTok'],
  ['youtube', 'YouTube'],
  ['rss', 'RSS'],
  ['base-sepolia', 'Base Sepolia'],
  ['openai-compatible', 'OpenAI-compatible'],
  ['deadline_exceeded', 'Timed out'],
  ['refusal_overlooked', 'Refusal not handled'],
])

/** Returns the label of an enum value: `partially_refunded` becomes `Partially refunded`, and `WY` becomes `Wyoming`. */
export function valueTitle(value: string): string {
  return VALUES.get(value) ?? sentenceCase(inWords(value))
}

/** Returns a Map, because a plain object would also match names from an address such as `constructor`. */
function mapOf(words: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  return new Map(Object.entries(words))
}

/** Returns the field that names the noun's resources, or null if they have only ids. */
export function nameField(noun: Noun): string | null {
  return NAMES.find((name) => Object.hasOwn(noun.fields, name)) ?? null
}

/** Returns the name of a resource, or the end of its id. */
export function nameOf(values: Values): string {
  if (isPrice(values)) return nameOfPrice(values)
  const name = ownName(values)
  // People often have the same name on all platforms, so the name of the platform is added.
  const { platform, username } = values
  return platform !== undefined && username !== undefined ? `${valueTitle(String(platform))} ${name}` : name
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

/** Shortens an id to its prefix and its end, because ids begin with the time and so look alike. */
export function shortId(id: string): string {
  const [prefix, rest] = [id.slice(0, id.lastIndexOf('_')), id.slice(id.lastIndexOf('_') + 1)]
  return rest.length > 12 ? `${prefix}_…${rest.slice(-8)}` : id
}

export function shortened(text: string, most = MAX_NAME): string {
  return text.length > most ? `${text.slice(0, most - 1).trimEnd()}…` : text
}
