import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const SRC = join(import.meta.dirname, '../../src')
const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))

interface Rule {
  said: string
  /** How it is written where it is said by hand. */
  pattern: RegExp
  /** Where it may be written. */
  place: string
  /** Other files that may, because no person reads what they write. */
  others?: string[]
}

const RULES: Rule[] = [
  {
    said: 'numbers',
    pattern: /\.toFixed\(|\.toLocaleString\(|NumberFormat/,
    place: 'format/',
    others: [
      // Rounded, and a number again.
      'features/social/resources/social-analytics/figures.ts',
      'features/social/resources/social-best-times/operations.ts',
    ],
  },
  {
    said: 'moments',
    pattern: /DateTimeFormat|\.toUTCString\(|\.toLocale(Date|Time)String\(/,
    place: 'format/',
    others: [
      // A time zone is known where it can be formatted in.
      'contract/values/values.ts',
      // The clocks of time zones, for computing.
      'contract/values/wall-clock.ts',
    ],
  },
  { said: 'plurals', pattern: /=== 1 \? '(\w+)' : '\1|\? '' : 's'|PluralRules/, place: 'format/' },
  {
    said: 'lists',
    pattern: /\.slice\(0, -1\)\.join\(|ListFormat/,
    place: 'format/',
    others: ['mcp/program/parameter-names.ts'],
  },
  {
    said: 'capitals at the start',
    pattern: /\.charAt\(0\)\.toUpperCase\(\)|\[0\]!?\.toUpperCase\(\)/,
    place: 'format/',
  },
  { said: 'codes of currencies', pattern: /currency\w*\.toUpperCase\(\)/, place: 'format/' },
  { said: 'escaped HTML', pattern: /'&amp;'|'&lt;'/, place: 'format/' },
  {
    said: 'sizes in units',
    pattern: /\/ (1024|1_?000(_000)*)\)?\} ?[KMG]?B\b|\$\{[^}]*[bB]ytes[^}]*\} bytes/,
    place: 'format/',
  },
  { said: 'waits', pattern: /\$\{[^}]*(seconds|wait|Retry-After)[^}]*\} s\b/i, place: 'format/' },
  {
    said: 'tables',
    pattern: /<table\b/,
    place: 'pages/parts/markup.ts',
    // Mail clients lay out by tables.
    others: ['resources/messages/email/templates/html.ts'],
  },
  {
    said: 'lists of facts',
    pattern: /<dl\b/,
    place: 'pages/parts/markup.ts',
    // Sites are files, which know nothing of the parts of pages.
    others: ['features/sites/providers/built-in/built-in.ts'],
  },
]

describe('What people read', () => {
  it.each(RULES)('has $said in one place', ({ pattern, place, others = [] }) => {
    const elsewhere = files.filter((file) => !file.startsWith(place) && pattern.test(codeOf(file)))
    expect(elsewhere.toSorted()).toEqual(others.toSorted())
  })
})

/** A file without its comments. */
function codeOf(file: string): string {
  return readFileSync(join(SRC, file), 'utf8')
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/^\s*\/\/.*$/gm, '')
}
