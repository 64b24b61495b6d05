import { setImmediate } from 'node:timers/promises'
import { Places } from '../concurrency/places.ts'
import { ApiError, requestTooLarge } from '../contract/declarations/errors.ts'
import type { HeaderOf } from '../contract/requests/header-of.ts'
import { overBounds } from '../contract/values/json-shape.ts'
import { BODY_BOUNDS, BODY_LIMIT_BYTES } from '../contract/values/request-bounds.ts'
import { bytesInWords } from '../format/sizes.ts'

const ARRIVING_OF_ACCOUNT_BYTES = 32 * BODY_LIMIT_BYTES
const ARRIVING_BYTES = 256 * BODY_LIMIT_BYTES

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Longer bodies are processed one at a time, because each takes milliseconds and a burst would delay all other requests. */
const LONG_BYTES = 64 * 1024
/** The maximum time for which one long body delays the next. A request that takes longer mostly waits for the database or a job. */
const LONGEST_TURN_MS = 100

export interface BodyRequest {
  request: Request
  header: HeaderOf
  accountId: string
  /** The maximum size of the body, if it is below the usual one. */
  limitBytes?: number
}

interface Source {
  request: Request
  /** The declared length in bytes; 0 if it is unknown. */
  announced: number
  limitBytes: number
}

/** Limits the memory for bodies that arrive slowly, and processes long bodies one at a time, alternating between accounts. */
export class BodyReader {
  readonly #arriving = new Map<string, number>()
  readonly #turns = new Places({ count: 1 })
  #total = 0

  /** Calls `use` with the bytes of the body. Throws `request_too_large`, `overloaded`, or `invalid_json` for a closed connection. */
  async read<Result>(
    { request, header, accountId, limitBytes = BODY_LIMIT_BYTES }: BodyRequest,
    use: (bytes: Uint8Array) => Result | Promise<Result>,
  ): Promise<Result> {
    const announced = Number(header('content-length') ?? 0)
    if (announced > limitBytes) throw tooLarge(limitBytes)
    const room = { taken: 0 }
    try {
      const source = { request, announced, limitBytes }
      const bytes = await this.#bytes(source, (part) => this.#take(accountId, room, part))
      return await (bytes.length < LONG_BYTES ? use(bytes) : this.#inTurn(accountId, () => use(bytes)))
    } finally {
      this.#giveBack(accountId, room.taken)
    }
  }

  async #inTurn<Result>(accountId: string, work: () => Result | Promise<Result>): Promise<Result> {
    const leave = await this.#turns.take(accountId)
    // Let requests that have arrived meanwhile go first.
    await setImmediate()
    const timer = setTimeout(leave, LONGEST_TURN_MS)
    try {
      return await work()
    } finally {
      clearTimeout(timer)
      leave()
    }
  }

  /** Reads the body. A connection that the client closes is a client error and not a server error. */
  async #bytes({ request, announced, limitBytes }: Source, take: (bytes: number) => void): Promise<Uint8Array> {
    try {
      if (announced === 0) return await readUpTo(request, limitBytes, take)
      take(announced)
      return new Uint8Array(await request.arrayBuffer())
    } catch (error) {
      if (error instanceof ApiError) throw error
      throw new ApiError('invalid_json', 'The connection was closed before the request body was complete.')
    }
  }

  #take(accountId: string, room: { taken: number }, bytes: number): void {
    const ofAccount = (this.#arriving.get(accountId) ?? 0) + bytes
    if (ofAccount > ARRIVING_OF_ACCOUNT_BYTES || this.#total + bytes > ARRIVING_BYTES) throw tooManyArriving()
    this.#arriving.set(accountId, ofAccount)
    this.#total += bytes
    room.taken += bytes
  }

  #giveBack(accountId: string, bytes: number): void {
    if (bytes === 0) return
    const left = this.#arriving.get(accountId)! - bytes
    if (left === 0) this.#arriving.delete(accountId)
    else this.#arriving.set(accountId, left)
    this.#total -= bytes
  }
}

async function readUpTo(request: Request, limit: number, take: (bytes: number) => void): Promise<Uint8Array> {
  if (!request.body) return new Uint8Array()
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of request.body.values()) {
    size += part.length
    if (size > limit) throw tooLarge(limit)
    take(part.length)
    parts.push(part)
  }
  return Buffer.concat(parts)
}

/**
 * Parses a JSON body without its byte order mark (RFC 8259, section 8.1). Throws `invalid_json`, `request_too_large` if it has too many
 * members, or `unsupported_media_type` if its first bytes show another format, regardless of the headers.
 */
export function parseJson(bytes: Uint8Array): unknown {
  const other = otherForm(bytes)
  if (other !== null) throw new ApiError('unsupported_media_type', `The request body is ${other}. Send JSON in UTF-8.`)
  const text = orInvalid(() => utf8.decode(bytes))
  const over = overBounds(text, BODY_BOUNDS)
  if (over !== null) throw requestTooLarge(over)
  return orInvalid(() => JSON.parse(text))
}

function orInvalid<Value>(read: () => Value): Value {
  try {
    return read()
  } catch (error) {
    const problem = error instanceof SyntaxError ? error.message : 'it has bytes that are not UTF-8'
    throw new ApiError('invalid_json', `The request body is not JSON in UTF-8: ${problem}.`)
  }
}

/** Returns the format of a body that is not JSON. JSON begins with an ASCII character, so in UTF-16 one of the first bytes is 0. */
function otherForm([first, second]: Uint8Array): string | null {
  if (first === 0x1f && second === 0x8b) return 'compressed with gzip'
  const hasMark = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)
  return hasMark || first === 0 || second === 0 ? 'in UTF-16 or UTF-32' : null
}

function tooLarge(limitBytes: number): ApiError {
  return new ApiError('request_too_large', `The request body is larger than ${bytesInWords(limitBytes)}.`)
}

function tooManyArriving(): ApiError {
  const message = 'Too many large request bodies are arriving at once. Send fewer at a time.'
  return new ApiError('overloaded', message, { headers: { 'Retry-After': '1' } })
}
