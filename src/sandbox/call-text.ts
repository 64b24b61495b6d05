import { BODY_BOUNDS, type JsonBounds, overBounds } from '../contract/json-shape.ts'
import type { ProgramCall } from './door.ts'

/** The guest's text of one call, and which bound its parameters are over. */
export interface CallText {
  text: string
  over: keyof JsonBounds | null
}

/** The parameters stand one level inside the call, which has a few members of its own. */
const BOUNDS: JsonBounds = { members: BODY_BOUNDS.members + 10, depth: BODY_BOUNDS.depth + 1 }

/** Bounds a call in the worker: parameters that are over a bound stay behind, and the main thread only hears of them. */
export function boundedCall(text: string): CallText {
  const over = overBounds(text, BOUNDS)
  if (over === null) return { text, over }
  const { method, path, line, listing } = fieldsOf(text)
  return { text: JSON.stringify({ method, path, line, listing, params: {} }), over }
}

/** Reads a call as the guest wrote it. Throws an Error when it is no call: a program can redefine how Ruby writes JSON. */
export function readCall({ text, over }: CallText): ProgramCall {
  const { method, path, params, line, listing } = fieldsOf(text)
  if (!isMethod(method) || typeof path !== 'string' || !isHash(params)) {
    throw new Error('the program changed how calls are written')
  }
  return {
    method,
    path,
    params: params as ProgramCall['params'],
    over,
    size: text.length,
    line: isLine(line) ? line : null,
    listing: listing === true,
  }
}

function fieldsOf(text: string): Partial<Record<keyof ProgramCall, unknown>> {
  const call: unknown = JSON.parse(text)
  return isHash(call) ? call : {}
}

function isHash(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isMethod(method: unknown): method is ProgramCall['method'] {
  return method === 'GET' || method === 'POST' || method === 'PATCH' || method === 'DELETE'
}

function isLine(line: unknown): line is number {
  return Number.isSafeInteger(line) && (line as number) >= 1
}
