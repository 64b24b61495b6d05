import { ROLES } from '../declarations/caller.ts'
import {
  ApiError,
  ERRORS,
  type ErrorCode,
  invalid,
  invalidParameter,
  missingParameter,
  missingResource,
} from '../declarations/errors.ts'
import type { OperationDeclaration } from '../declarations/operation.ts'
import { rolesWith } from '../declarations/role-rights.ts'
import type { JsonSchema } from '../values/json.ts'
import { keysOf } from '../values/keys.ts'

export const ERROR_STATUSES = [400, 401, 402, 403, 404, 409, 413, 415, 422, 429, 500, 502, 503]

export function errorStatuses({
  needs,
  path,
  method,
  body,
  writes,
  outside,
  spendsCredits,
}: OperationDeclaration): number[] {
  // Actions without fields read a body as well.
  const readsBody = method === 'POST' || method === 'PATCH'
  const namesOthers = Object.values(body ?? {}).some((field) => field.spec.relation)
  const possible: Record<number, boolean> = {
    402: spendsCredits,
    403: writes || rolesWith(needs).length < ROLES.length,
    404: path.includes('{') || namesOthers,
    409: writes,
    413: readsBody,
    415: readsBody,
    422: writes || body !== null,
    502: outside,
    503: writes,
  }
  return ERROR_STATUSES.filter((status) => possible[status] ?? true)
}

/** Returns the error codes that this operation can cause, except those of any request. */
export function errorCodes(operation: OperationDeclaration): ErrorCode[] {
  const { method, body, query, writes, kind, noun } = operation
  const given = [...Object.values(query), ...(operation.bodyMode === 'create' ? Object.values(body ?? {}) : [])]
  const isTest = noun.name === 'webhook_test'
  const possible: Partial<Record<ErrorCode, boolean>> = {
    parameter_missing: given.some(({ spec }) => spec.required),
    malformed_request: false,
    invalid_json: method === 'POST' || method === 'PATCH',
    invalid_state: writes && !isAllowedInEveryState(operation),
    resource_in_use: kind === 'delete',
    validation_failed: body !== null,
    upstream_failed: !isTest,
    webhook_delivery_failed: isTest,
  }
  const statuses = errorStatuses(operation).filter((status) => !STATUSES_OF_ANY_REQUEST.includes(status))
  const codes = keysOf(ERRORS)
  return codes.filter((code) => statuses.includes(ERRORS[code][0]) && (possible[code] ?? true))
}

function isAllowedInEveryState({ kind, noun, path }: OperationDeclaration): boolean {
  const action = path.slice(path.lastIndexOf('/') + 1)
  const allowed = Object.values(noun.states ?? {})
  return kind === 'action' && allowed.length > 0 && allowed.every((actions) => actions.includes(action))
}

export const STATUSES_OF_ANY_REQUEST: readonly number[] = [401, 413, 415, 429, 500, 503]

export function errorResponse(status: number): JsonSchema {
  const codes = keysOf(ERRORS).filter((code) => ERRORS[code][0] === status)
  return {
    description: codes.map((code) => `\`${code}\`: ${ERRORS[code][1]}`).join(' '),
    headers: { 'Request-Id': { $ref: '#/components/headers/RequestId' }, ...HEADERS[status] },
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/Error' },
        examples: Object.fromEntries(codes.map((code) => [code, { value: exampleError(code) }])),
      },
    },
  }
}

const RETRY_AFTER = { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } }

const HEADERS: Record<number, JsonSchema> = {
  401: { 'WWW-Authenticate': { $ref: '#/components/headers/WwwAuthenticate' } },
  409: RETRY_AFTER,
  429: RETRY_AFTER,
  503: RETRY_AFTER,
}

const EXAMPLES: Partial<Record<ErrorCode, ApiError>> = {
  parameter_missing: missingParameter('name'),
  parameter_invalid: invalidParameter('limit', 'must be at most 100, not 500'),
  parameter_unknown: new ApiError(
    'parameter_unknown',
    'GET /products has no query parameter stats. Did you mean status?',
    { param: 'stats' },
  ),
  validation_failed: invalid({ email: ['has already been taken'] }),
  resource_missing: missingResource('product'),
}

export function exampleError(code: ErrorCode, docsUrl = 'https://shop.example/docs/errors'): JsonSchema {
  return (EXAMPLES[code] ?? new ApiError(code, ERRORS[code][1])).body(docsUrl)
}
