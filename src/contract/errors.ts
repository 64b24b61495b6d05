/** Every error the service answers with: HTTP status, type, and when it happens. Nothing outside this list leaves. */
export const ERRORS = {
  parameter_missing: [400, 'invalid_request_error', 'A required parameter is absent or null; `param` names it.'],
  parameter_invalid: [
    400,
    'invalid_request_error',
    'A query parameter is invalid, or a body value has the wrong JSON type; `param` names it.',
  ],
  parameter_unknown: [
    400,
    'invalid_request_error',
    'The operation has no query parameter of that name; `param` is the name, and the message says what was probably meant.',
  ],
  invalid_json: [400, 'invalid_request_error', 'The request body is not a JSON object.'],
  invalid_state: [
    400,
    'invalid_request_error',
    'The action is not possible in the current state; `allowed_actions` of the resource lists what is.',
  ],
  resource_in_use: [400, 'invalid_request_error', 'The resource cannot be deleted because something depends on it.'],
  authentication_required: [
    401,
    'invalid_request_error',
    'The API token is missing, unknown or deleted. Send `Authorization: Bearer <API token>`.',
  ],
  insufficient_credits: [402, 'invalid_request_error', 'The credit balance is too low; nothing was done.'],
  permission_denied: [403, 'invalid_request_error', 'The user the token acts for lacks the role this operation needs.'],
  resource_missing: [404, 'invalid_request_error', 'No such resource in this account, or no such path.'],
  method_not_allowed: [
    405,
    'invalid_request_error',
    'The path exists but not with this method; the `Allow` header lists the methods it has.',
  ],
  idempotency_key_in_use: [
    409,
    'invalid_request_error',
    'The first request with this `Idempotency-Key` is still running; try again after `Retry-After`.',
  ],
  request_too_large: [413, 'invalid_request_error', 'The request body is larger than 1 MB.'],
  idempotency_key_reused: [
    422,
    'invalid_request_error',
    'This `Idempotency-Key` was already used for another method, path or body.',
  ],
  validation_failed: [422, 'validation_error', 'Body values are invalid; `errors` maps each field to its messages.'],
  rate_limit_exceeded: [429, 'invalid_request_error', 'Too many requests; wait for the seconds in `Retry-After`.'],
  internal_error: [500, 'api_error', 'An unexpected error on our side; the message names the request id.'],
  upstream_failed: [502, 'api_error', 'A site outside did not answer as needed; nothing was charged.'],
  webhook_delivery_failed: [502, 'api_error', 'The test delivery was not acknowledged by the endpoint.'],
  overloaded: [503, 'api_error', 'The service is too busy to take the request now; try again after `Retry-After`.'],
} as const satisfies Record<string, readonly [status: number, type: string, when: string]>

export type ErrorCode = keyof typeof ERRORS

/** Messages by field, as `error.errors` shows them. */
export type FieldErrors = Record<string, string[]>

interface Details {
  param?: string
  errors?: FieldErrors
  headers?: Record<string, string>
}

/** Where the pages about the codes are, on a server of this address. */
export function errorDocsUrl(publicUrl: string): string {
  return `${publicUrl}/docs/errors`
}

/** A refusal in the contract's words. Every transport turns it into the same body. */
export class ApiError extends Error {
  override name = 'ApiError'
  readonly code: ErrorCode
  readonly details: Details

  constructor(code: ErrorCode, message: string, details: Details = {}) {
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

  /** The error body of the contract; `docsUrl` is the address of the page that lists the codes. */
  body(docsUrl: string): { error: Record<string, unknown> } {
    const { param, errors } = this.details
    return {
      error: {
        type: ERRORS[this.code][1],
        code: this.code,
        message: this.message,
        ...(param !== undefined && { param }),
        ...(errors !== undefined && { errors }),
        doc_url: `${docsUrl}/${this.code}`,
      },
    }
  }
}

/** A 422 over one or more fields; its message is the first field error in words. */
export function invalid(errors: FieldErrors): ApiError {
  const [field, messages] = Object.entries(errors)[0] ?? ['base', ['is invalid']]
  return new ApiError('validation_failed', `${inWords(field)} ${messages[0]}`, { errors })
}

export function missingParameter(param: string): ApiError {
  return new ApiError('parameter_missing', `The required parameter ${param} is missing.`, { param })
}

export function invalidParameter(param: string, problem: string): ApiError {
  return new ApiError('parameter_invalid', `${param} ${problem}`, { param })
}

/** A 404 that says nothing of whether the id exists elsewhere. `param` names the position of a reference in a body. */
export function missingResource(noun: string, param?: string): ApiError {
  const where = param === undefined ? '' : ` for ${param}`
  return new ApiError('resource_missing', `No such ${noun.replaceAll('_', ' ')}${where} in this account.`, {
    ...(param !== undefined && { param }),
  })
}

/** `applies_to_product_ids` → `Applies to product ids`. */
function inWords(field: string): string {
  const words = field.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
