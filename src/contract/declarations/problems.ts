import type { z } from 'zod'
import { nounFor } from '../../format/counts.ts'
import { jsonTypeOf, shown, withArticle } from '../values/json.ts'
import { didYouMean } from '../values/nearest.ts'

const MAX_KEYS_SHOWN = 5

type RawIssue = Parameters<z.core.$ZodErrorMap>[0]

export function wrongType(value: unknown, type: string): string {
  return `must be ${withArticle(type)}, not ${withArticle(jsonTypeOf(value))} (${shown(value)})`
}

/** Returns a reminder for messages about integers if the unit is easily mistaken. */
export function unitReminder(unit: string | undefined): string {
  return unit === 'minor units' ? '; amounts are in minor units: 1250 is 12.50 usd' : ''
}

export function notListed(value: unknown, options: string[]): string {
  const hint = typeof value === 'string' ? didYouMean(value, options) : ''
  return `must be one of ${options.join(', ')}${hint}`
}

/** Returns our message for a Zod issue, so that responses never contain Zod's own messages. */
export function problemOf(issue: RawIssue): string {
  if (issue.code === 'invalid_type' && issue.input === undefined) return "can't be blank"
  if (issue.code === 'invalid_type') return wrongType(issue.input, TYPE_NAMES[issue.expected] ?? issue.expected)
  if (issue.code === 'invalid_value') return notListed(issue.input, issue.values.map(String))
  if (issue.code === 'unrecognized_keys') return `must not have the unknown ${keysInWords(issue.keys)}`
  if (issue.code === 'invalid_key') return issue.issues[0]?.message ?? 'has an invalid key'
  if (issue.code === 'too_small') return `must be at least ${issue.minimum}`
  if (issue.code === 'too_big') return `must be at most ${issue.maximum}`
  return 'is not valid'
}

function keysInWords(keys: string[]): string {
  return `${nounFor(keys.length, 'key')} ${shown(keys.slice(0, MAX_KEYS_SHOWN).join(', '))}`
}

const TYPE_NAMES: Record<string, string> = { int: 'integer', record: 'object' }
