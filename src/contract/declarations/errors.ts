import { waitInWords } from '../../format/durations.ts'
import { listed } from '../../format/lists.ts'
import { inWords } from '../../format/names.ts'
import { sentenceCase } from '../../format/sentences.ts'
import { type RequestBound, whyTooLarge } from '../values/request-bounds.ts'
import { cut } from '../values/values.ts'

/** Every error of the REST API: its HTTP status, its type, and when it happens. */
export const ERRORS = {
  parameter_missing: [
    400,
    'invalid_request_error',
    'Required parameters are absent or null. `param` names the first; `errors` lists all of them for a body.',
  ],
  parameter_invalid: [
    400,
    'invalid_request_error',
    'A query parameter is invalid, or body fields have the wrong JSON type. `param` names the first; `errors` lists all of them for a body.',
  ],
  parameter_unknown: [
    400,
    'invalid_request_error',
    'The operation has no query parameter with that name; `param` is the name, and the message suggests a similar one.',
  ],
  malformed_request: [400, 'invalid_request_error', 'The request is not valid HTTP; the connection is closed.'],
  invalid_json: [400, 'invalid_request_error', 'The request body is not a JSON object.'],
  invalid_state: [
    400,
    'invalid_request_error',
    'The action is not allowed in the current state. If the resource has states, `allowed_actions` lists the allowed actions.',
  ],
  resource_in_use: [400, 'invalid_request_error', 'The resource cannot be deleted because something depends on it.'],
  authentication_required: [
    401,
    'invalid_request_error',
    'The API token is missing, unknown or deleted. Send `Authorization: Bearer <API token>`.',
  ],
  insufficient_credits: [402, 'invalid_request_error', 'The credit balance is too low; nothing was done.'],
  permission_denied: [
    403,
    'invalid_request_error',
    'The user lacks the required role, the API token may only read or propose, or its daily cap is reached.',
  ],
  resource_missing: [404, 'invalid_request_error', 'No such resource in this account, or no such path.'],
  method_not_allowed: [
    405,
    'invalid_request_error',
    'The path exists, but not with this method; the `Allow` header lists the allowed methods.',
  ],
  request_timeout: [
    408,
    'invalid_request_error',
    'The request did not arrive completely in time; the connection is closed.',
  ],
  idempotency_key_in_use: [
    409,
    'invalid_request_error',
    'The first request with this `Idempotency-Key` is still running; try again after `Retry-After`.',
  ],
  request_too_large: [
    413,
    'invalid_request_error',
    'The request body is larger than 1 MB or has more than 10,000 members, or the URL is too long.',
  ],
  unsupported_media_type: [
    415,
    'invalid_request_error',
    'The request body is compressed, not UTF-8, or its `Content-Type` is not JSON.',
  ],
  idempotency_key_reused: [
    422,
    'invalid_request_error',
    'This `Idempotency-Key` was already used for another method, path or body.',
  ],
  validation_failed: [
    422,
    'validation_error',
    'Body values are invalid; `errors` maps each invalid or missing field to its messages.',
  ],
  rate_limit_exceeded: [
    429,
    'invalid_request_error',
    'Too many requests; wait the number of seconds in `Retry-After`.',
  ],
  headers_too_large: [431, 'invalid_request_error', 'The URL and the headers together are larger than 16 KB.'],
  internal_error: [500, 'api_error', 'An unexpected error on our side; the message gives the request id.'],
  upstream_failed: [502, 'api_error', 'An external site did not respond as needed; nothing was charged.'],
  webhook_delivery_failed: [502, 'api_error', 'The test delivery was not acknowledged by the endpoint.'],
  overloaded: [503, 'api_error', 'The service is too busy to take the request now; try again after `Retry-After`.'],
  storage_full: [
    503,
    'api_error',
    'The storage is full. Nothing was saved; reads still work. Try again once space is free.',
  ],
  storage_unavailable: [
    503,
    'api_error',
    'The storage cannot be written, or the database cannot be reached. Nothing was saved; reads may still work.',
  ],
  outcome_unknown: [
    503,
    'api_error',
    'The database was lost while it saved the change: all of it was saved, or nothing. Send the same request with the same `Idempotency-Key` again, or look first.',
  ],
} as const satisfies Record<string, readonly [status: number, type: string, when: string]>

export type ErrorCode = keyof typeof ERRORS

export type FieldErrors = Record<string, string[]>

interface ErrorDetails {
  param?: string
  errors?: FieldErrors
  headers?: Record<string, string>
}

export function errorDocsUrl(publicUrl: string): string {
  return `${publicUrl}/docs/errors`
}

/** An error that every transport reports with the same body. */
export class ApiError extends Error {
  readonly code: ErrorCode
  readonly details: ErrorDetails

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message)
    this.code = code
    this.details = details
  }

  get status(): number {
    return ERRORS[this.code][0]
  }

  get headers(): Record<string, string> {
    return this.details.headers ?? {}
  }

  /** Returns the response body; `docsUrl` is the URL of the page that lists the codes. */
  body(docsUrl: string): { error: Record<string, unknown> } {
    const { param, errors } = this.details
    const shown = errors && firstFields(errors)
    return {
      error: {
        type: ERRORS[this.code][1],
        code: this.code,
        message: `${truncated(this.message, MAX_MESSAGE)}${omittedNote(errors, shown)}`,
        ...(param !== undefined && { param: truncated(param, MAX_NAME) }),
        ...(shown !== undefined && { errors: shown }),
        doc_url: `${docsUrl}/${this.code}`,
      },
    }
  }
}

/** Limits that keep an error body within 16 KB, regardless of the number of errors. */
const MAX_FIELDS = 20
const MAX_MESSAGES = 3
const MAX_FIELDS_BYTES = 6_000
const MAX_MESSAGE = 1_000
const MAX_FIELD_MESSAGE = 300
const MAX_NAME = 200

function firstFields(errors: FieldErrors): FieldErrors {
  const shown: FieldErrors = {}
  let room = MAX_FIELDS_BYTES
  for (const [field, messages] of Object.entries(errors).slice(0, MAX_FIELDS)) {
    const name = truncated(field, MAX_NAME)
    const first = messages.slice(0, MAX_MESSAGES).map((text) => truncated(text, MAX_FIELD_MESSAGE))
    room -= Buffer.byteLength(JSON.stringify([name, first]))
    if (room < 0 && Object.keys(shown).length > 0) break
    shown[name] = first
  }
  return shown
}

function omittedNote(all: FieldErrors = {}, shown: FieldErrors = {}): string {
  const [count, shownCount] = [Object.keys(all).length, Object.keys(shown).length]
  return count === shownCount ? '' : ` (${shownCount} of ${count} invalid fields are shown.)`
}

function truncated(text: string, length: number): string {
  return text.length > length ? `${cut(text, length - 1)}…` : text
}

export function invalid(errors: FieldErrors): ApiError {
  const [field, messages] = Object.entries(errors)[0] ?? ['base', ['is invalid']]
  return new ApiError('validation_failed', `${sentenceCase(inWords(field))} ${messages[0]}`, { errors })
}

/** Throws a 422 unless `errors` is empty. */
export function requireValid(errors: FieldErrors): void {
  if (Object.keys(errors).length > 0) throw invalid(errors)
}

/** Returns a 400 for the absent parameters `param` and `more`; `aside` is a sentence about unknown fields. */
export function missingParameter(param: string, more: string[] = [], aside = ''): ApiError {
  const params = listed([param, ...more])
  const sentence =
    more.length === 0
      ? `The required parameter ${params} is missing.`
      : `The required parameters ${params} are missing.`
  return new ApiError('parameter_missing', aside === '' ? sentence : `${sentence} ${aside}`, {
    param,
    errors: Object.fromEntries([param, ...more].map((name) => [name, ["can't be blank"]])),
  })
}

export function invalidParameter(param: string, problem: string): ApiError {
  return new ApiError('parameter_invalid', `${param} ${problem}`, { param })
}

export function wrongTypes(errors: FieldErrors): ApiError {
  const [param, problems] = Object.entries(errors)[0]!
  return new ApiError('parameter_invalid', `${param} ${problems[0]}`, { param, errors })
}

/** Returns a 405. `methods` are the declared methods of the path; GET implies HEAD, and OPTIONS is always allowed. */
export function methodNotAllowed(method: string, path: string, methods: Iterable<string>): ApiError {
  const allowed = [...methods].flatMap((one) => (one === 'GET' ? ['GET', 'HEAD'] : [one]))
  const Allow = [...allowed, 'OPTIONS'].join(', ')
  const message = `${method} is not allowed on ${path}. Allowed: ${Allow}`
  return new ApiError('method_not_allowed', message, { headers: { Allow } })
}

export function tooManyRequests(headers: Record<string, string>): ApiError {
  const message = `Too many requests. Try again in ${waitInWords(Number(headers['Retry-After']))}.`
  return new ApiError('rate_limit_exceeded', message, { headers })
}

/** Returns a 500 that names only the request id; the log contains the cause. */
export function internalError(requestId: string): ApiError {
  const message = `Something went wrong on our side. If it happens again, report request ${requestId}.`
  return new ApiError('internal_error', message)
}

/** Returns a 503 for a write that conflicted with other writes on every attempt. */
export function tooManyWriters(): ApiError {
  const headers = { 'Retry-After': '1' }
  return new ApiError('overloaded', 'Too many requests are changing the same records.', { headers })
}

/** Returns a 413 for a request over a limit, or a 400 for a body that is nested too deeply. */
export function requestTooLarge(bound: RequestBound): ApiError {
  return new ApiError(bound === 'depth' ? 'invalid_json' : 'request_too_large', whyTooLarge(bound))
}

export function storageRefused(problem: 'full' | 'unavailable' | 'unreachable'): ApiError {
  // A restarting database is back within seconds, but a full or broken disk needs an operator.
  const headers = { 'Retry-After': problem === 'unreachable' ? '5' : '60' }
  if (problem === 'unreachable')
    return new ApiError('storage_unavailable', 'The database cannot be reached; nothing was saved.', { headers })
  if (problem === 'full')
    return new ApiError('storage_full', 'The storage is full; nothing was saved. Reads still work.', { headers })
  return new ApiError('storage_unavailable', 'The storage cannot be written; nothing was saved.', { headers })
}

/** Returns a 503 for a write whose commit may or may not have succeeded. */
export function outcomeUnknown(): ApiError {
  const message =
    'The database was lost while it saved this change, so the change may have been saved or not. Send the request again with the same Idempotency-Key, or look before you repeat it.'
  return new ApiError('outcome_unknown', message, { headers: { 'Retry-After': '5' } })
}

/** Returns a 404 that does not reveal whether the id exists in another account. `param` is the body field with the id. */
export function missingResource(noun: string, param?: string): ApiError {
  const where = param === undefined || param === noun ? '' : ` (${param})`
  return new ApiError('resource_missing', `No such ${inWords(noun)} in this account${where}.`, {
    ...(param !== undefined && { param }),
  })
}
