import { inWords } from '../../../words/names.ts'
import { US_STATE_NAMES } from '../../../words/regions.ts'
import { sentenceCase } from '../../../words/sentences.ts'

/** Words that are written in capitals, or in a way of their own. */
const OWN: Record<string, string> = {
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
}

/** `price_variant` → `Price variant`, `seo_title` → `SEO title`. */
export function title(name: string): string {
  const known = OWN[name]
  if (known !== undefined) return known.startsWith('x402') ? known : sentenceCase(known)
  const words = name.split('_').map((word) => OWN[word] ?? word)
  return sentenceCase(words.join(' '))
}

/** Of a field: `created_at` → `Created`, `runs_count` → `Runs`, `is_live` → `Live`. */
export function fieldTitle(name: string): string {
  return title(name.replace(/^is_(?=.)|(?<=.)_(at|ms|count)$/g, ''))
}

/** The name of many: `price_variants` → `Price variants`. */
export function pluralTitle(plural: string): string {
  return title(plural)
}

/** Values of closed lists whose words do not follow from them. */
const VALUES = new Map<string, string>([
  ...Object.entries(US_STATE_NAMES),
  ['linkedin', 'LinkedIn'],
  ['tiktok', 'TikTok'],
  ['youtube', 'YouTube'],
  ['rss', 'RSS'],
  ['base-sepolia', 'Base Sepolia'],
  ['deadline_exceeded', 'Timed out'],
  ['refusal_overlooked', 'Refusal not handled'],
])

/** A value of a closed list: `partially_refunded` → `Partially refunded`, `WY` → `Wyoming`. */
export function valueTitle(value: string): string {
  return VALUES.get(value) ?? sentenceCase(inWords(value))
}
