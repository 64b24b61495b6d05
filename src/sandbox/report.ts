import type { Json } from '../contract/values/json.ts'
import { type JsonBounds, overBounds } from '../contract/values/json-shape.ts'
import { shorten } from '../contract/values/shorten.ts'
import { MAX_RESULT_BYTES } from './api.ts'

/** A report within these bounds is passed on unchanged, because the main thread parses it in a few milliseconds at most. */
const SMALL: JsonBounds = { members: 20_000, depth: 110 }
/** Shortening a result is recursive, so its depth is limited. The prelude refuses deeper values, but a program can redefine the prelude. */
const DEEPEST: JsonBounds = { members: Infinity, depth: SMALL.depth }
const LARGE: JsonBounds = { members: 500_000, depth: SMALL.depth }
const MAX_NUMBERS = 1_000
const MAX_TEXTS = 20

const TOO_DEEP = JSON.stringify({
  ok: false,
  error: { type: 'invalid_result', message: 'The result is nested too deeply.', line: null, hint: null },
})

/**
 * Makes the guest's report short and shallow enough for the main thread. A long result is shortened here, in the worker, so that parsing it
 * does not block other requests. With `whole`, a result is shortened only if it has a very large number of members. The main thread checks
 * whether the report is valid.
 */
export function boundedReport(text: string, whole = false): string {
  if (whole && overBounds(text, LARGE) === null) return text
  if (Buffer.byteLength(text) <= MAX_RESULT_BYTES && overBounds(text, SMALL) === null) return text
  if (overBounds(text, DEEPEST) !== null) return TOO_DEEP
  const said = parsed(text)
  if (said.ok !== true || said.value === undefined) return JSON.stringify({ ok: false, error: shortened(said.error) })
  const value = shorten(said.value, MAX_RESULT_BYTES)
  return JSON.stringify({
    ok: true,
    value,
    shortened: value !== said.value,
    warnings: first(said.warnings, MAX_TEXTS).map(shortened),
    overlooked: first(said.overlooked, MAX_NUMBERS),
    returned: first(said.returned, MAX_NUMBERS),
  })
}

function parsed(text: string): { [key: string]: Json } {
  try {
    const said: unknown = JSON.parse(text)
    return typeof said === 'object' && said !== null ? (said as { [key: string]: Json }) : {}
  } catch {
    return {}
  }
}

function first(values: Json | undefined, count: number): Json[] {
  return Array.isArray(values) ? values.slice(0, count) : []
}

function shortened(value: Json | undefined): Json {
  return shorten(value ?? null, MAX_RESULT_BYTES / MAX_TEXTS)
}
