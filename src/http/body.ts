import { ApiError } from '../contract/errors.ts'

/** Bodies over this are refused before they are read to the end. */
export const BODY_LIMIT_BYTES = 1_000_000

/** What comes after, as `JSON.stringify`, is recursive; no declared body is deeper than 5. */
const MAX_DEPTH = 50

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * The JSON value of a request's body, or undefined where there is none; `announced` is its Content-Length or 0. Throws `request_too_large` or `invalid_json`.
 */
export async function readBody(request: Request, announced: number): Promise<unknown> {
  if (announced > BODY_LIMIT_BYTES) throw tooLarge()
  const bytes = announced > 0 ? new Uint8Array(await request.arrayBuffer()) : await readUpTo(request, BODY_LIMIT_BYTES)
  if (bytes.length === 0) return undefined
  const body = parse(bytes)
  if (isNestedDeeper(body, MAX_DEPTH))
    throw new ApiError('invalid_json', `The request body is nested more than ${MAX_DEPTH} deep.`)
  return body
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(utf8.decode(bytes))
  } catch (error) {
    throw new ApiError('invalid_json', `The request body is not JSON in UTF-8: ${(error as Error).message}.`)
  }
}

function isNestedDeeper(value: unknown, depth: number): boolean {
  if (value === null || typeof value !== 'object') return false
  return depth === 0 || Object.values(value).some((inner) => isNestedDeeper(inner, depth - 1))
}

/** A body of unknown length; stops reading when it passes the limit. */
async function readUpTo(request: Request, limit: number): Promise<Uint8Array> {
  if (!request.body) return new Uint8Array()
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of request.body as unknown as AsyncIterable<Uint8Array>) {
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
