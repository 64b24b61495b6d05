import { readAggregate } from '../contract/values/aggregate.ts'
import { isPlainObject, jsonIn } from '../contract/values/json.ts'
import { overBounds } from '../contract/values/json-shape.ts'
import { BODY_BOUNDS, MAX_ADDRESS, type RequestBound } from '../contract/values/request-bounds.ts'
import type { ProgramCall } from './api.ts'

/** The JSON of a call as the guest wrote it, and the limit that the call exceeds. */
export interface CallText {
  text: string
  over: RequestBound | null
}

/** The limits of a request body, plus the few members of the call that contains the parameters. */
const BOUNDS = { members: BODY_BOUNDS.members + 10, depth: BODY_BOUNDS.depth + 1 }

const SHOWN_PATH = 300

/** Checks a call's limits in the worker. The main thread gets a call that exceeds a limit without its parameters. */
export function boundedCall(text: string): CallText {
  if (text.length <= MAX_ADDRESS && overBounds(text, BOUNDS) === null) return { text, over: null }
  const { method, path, line, listing, word, batch } = fieldsOf(text)
  const over = overBounds(text, BOUNDS) ?? (isLongAddress(method, path, text) ? 'address' : null)
  if (over === null) return { text, over }
  const shown = typeof path === 'string' ? path.slice(0, SHOWN_PATH) : path
  return { text: JSON.stringify({ method, path: shown, line, listing, word, batch, params: {} }), over }
}

function isLongAddress(method: unknown, path: unknown, text: string): boolean {
  if (method === 'GET' || method === 'DELETE') return text.length > MAX_ADDRESS
  return typeof path === 'string' && path.length > MAX_ADDRESS
}

/** Parses a call of the guest. Throws an Error if the JSON is not a call, because a program can redefine how Ruby writes JSON. */
export function readCall({ text, over }: CallText): ProgramCall {
  const { method, path, params, line, listing, aggregate, word, batch } = fieldsOf(text)
  if (!isMethod(method) || typeof path !== 'string' || !isPlainObject(params)) {
    throw new Error('the program changed how calls are written')
  }
  return {
    method,
    path,
    params: params as ProgramCall['params'],
    over,
    line: isCount(line) ? line : null,
    listing: listing === true,
    aggregate: readAggregate(aggregate),
    ...(word === true && { word }),
    ...(isCount(batch) && { batch }),
  }
}

function fieldsOf(text: string): Partial<Record<keyof ProgramCall, unknown>> {
  const call = jsonIn(text)
  return isPlainObject(call) ? call : {}
}

function isMethod(method: unknown): method is ProgramCall['method'] {
  return method === 'GET' || method === 'POST' || method === 'PATCH' || method === 'DELETE'
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 1
}
