import { ApiError, requestTooLarge } from '../contract/errors.ts'
import { overBounds } from '../contract/json-shape.ts'
import { unreadable } from '../contract/media-type.ts'
import { BODY_BOUNDS, BODY_LIMIT_BYTES } from '../contract/request-bounds.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * The JSON value of a request's body, or undefined when there is none. `header` gives a header by its lower-case name.
 * Throws `unsupported_media_type`, `request_too_large` or `invalid_json`.
 */
export async function readBody(request: Request, header: (name: string) => string | null): Promise<unknown> {
  const announced = Number(header('content-length') ?? 0)
  if (announced > BODY_LIMIT_BYTES) throw tooLarge()
  const bytes = await read(request, announced)
  if (bytes.length === 0) return undefined
  const problem = unreadable(header('content-type'), header('content-encoding'))
  if (problem !== null) throw new ApiError('unsupported_media_type', problem)
  const text = decode(bytes)
  const over = overBounds(text, BODY_BOUNDS)
  if (over !== null) throw requestTooLarge(over)
  return parse(text)
}

/** A connection that breaks off is the client's doing, not an error of ours. */
async function read(request: Request, announced: number): Promise<Uint8Array> {
  try {
    return announced > 0 ? new Uint8Array(await request.arrayBuffer()) : await readUpTo(request, BODY_LIMIT_BYTES)
  } catch (error) {
    if (error instanceof ApiError) throw error
    throw new ApiError('invalid_json', 'The connection broke off before the request body was complete.')
  }
}

function decode(bytes: Uint8Array): string {
  return orInvalid(() => utf8.decode(bytes))
}

function parse(text: string): unknown {
  return orInvalid(() => JSON.parse(text))
}

function orInvalid<Value>(read: () => Value): Value {
  try {
    return read()
  } catch (error) {
    throw new ApiError('invalid_json', `The request body is not JSON in UTF-8: ${(error as Error).message}.`)
  }
}

/** A body of unknown length; stops reading when it passes the limit. */
async function readUpTo(request: Request, limit: number): Promise<Uint8Array> {
  if (!request.body) return new Uint8Array()
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of request.body.values()) {
    size += part.length
    if (size > limit) throw tooLarge()
    parts.push(part)
  }
  return Buffer.concat(parts)
}

function tooLarge(): ApiError {
  return new ApiError(
    'request_too_large',
    `The request body is larger than ${BODY_LIMIT_BYTES.toLocaleString('en')} bytes.`,
  )
}
