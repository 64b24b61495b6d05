import { readRequestBody } from '@modelcontextprotocol/server'
import { type JsonBounds, overBounds } from '../../contract/json-shape.ts'
import { unreadableText } from '../../contract/media-type.ts'
import { BODY_LIMIT_BYTES } from '../../contract/request-bounds.ts'

/** Only the 2025-03-26 revision has batches; nobody needs long ones. */
const BATCH_LIMIT = 20

/** Twenty requests with what clients send beside them stay far below. */
const BOUNDS: JsonBounds = { members: 5_000, depth: 50 }

/** A JSON-RPC body, with what the endpoint must know before the protocol's library reads it. */
export interface Message {
  body: unknown
  /** How many requests it holds: one, or those of a batch. */
  requests: number
  /** Whether a request in it asks for progress notifications. */
  asksForProgress: boolean
}

/**
 * Reads and parses a body. A body that cannot be read is answered with the Response that says why. Its `Content-Type` need
 * not be JSON, since a bare HTTP client often sends none of its own.
 */
export async function readMessage(request: Request): Promise<Message | Response> {
  const { headers } = request
  const problem = unreadableText(headers.get('content-type'), headers.get('content-encoding'))
  if (problem !== null) return rpcError(415, -32700, problem)
  const read = await readRequestBody(request, BODY_LIMIT_BYTES).catch(() => null)
  if (read === null) return rpcError(400, -32700, 'The request body could not be read.')
  if (read.tooLarge) return rpcError(413, -32600, `The request body is larger than ${BODY_LIMIT_BYTES} bytes.`)
  if (overBounds(read.text, BOUNDS) !== null) return rpcError(413, -32600, OVER)
  const body = parse(read.text)
  if (body === undefined) return rpcError(400, -32700, 'The request body is not JSON.')
  const messages = Array.isArray(body) ? body : [body]
  if (messages.length === 0) return rpcError(400, -32600, 'The batch is empty.')
  if (messages.length > BATCH_LIMIT) return rpcError(400, -32600, `A batch has at most ${BATCH_LIMIT} messages.`)
  return {
    body,
    requests: messages.filter(
      (message) => member(message, 'id') !== undefined && member(message, 'method') !== undefined,
    ).length,
    asksForProgress: messages.some((message) => progressToken(message) !== undefined),
  }
}

const OVER = `The request body has more than ${BOUNDS.members} members or is nested more than ${BOUNDS.depth} deep.`

/** An answer in JSON-RPC's form where no request was understood. */
export function rpcError(
  status: number,
  code: number,
  message: string,
  headers: Record<string, string> = {},
): Response {
  return Response.json({ jsonrpc: '2.0', error: { code, message }, id: null }, { status, headers })
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function progressToken(message: unknown): unknown {
  return member(member(member(message, 'params'), '_meta'), 'progressToken')
}

function member(value: unknown, name: string): unknown {
  return value !== null && typeof value === 'object' ? (value as Record<string, unknown>)[name] : undefined
}
