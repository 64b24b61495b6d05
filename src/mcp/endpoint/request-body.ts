import { ApiError, type ErrorCode } from '../../contract/declarations/errors.ts'
import { unreadableText } from '../../contract/requests/media-type.ts'
import { isPlainObject } from '../../contract/values/json.ts'
import { only } from '../../errors.ts'
import { type BodyReader, parseJson } from '../../pipeline/body-reader.ts'

/** Only protocol revision 2025-03-26 has JSON-RPC batches. */
const BATCH_LIMIT = 20

/** A parsed JSON-RPC body, with facts that the endpoint needs before the MCP library handles the message. */
export interface Message {
  body: unknown
  /** The number of messages in a batch; otherwise 1. */
  requests: number
  asksForProgress: boolean
  /** The protocol extensions that the client declares with this request: their settings by extension id. */
  extensions: ReadonlyMap<string, object>
  /** The name of the called tool or method, or `batch`. Unknown names are replaced, because the subject is used in metrics. */
  subject: string
}

/** Parses a request body, or returns an error response. Any `Content-Type` is accepted, because simple clients often set none. */
export async function readMessage(
  reader: BodyReader,
  request: Request,
  accountId: string,
): Promise<Message | Response> {
  const { headers } = request
  const problem = unreadableText(headers.get('content-type'), headers.get('content-encoding'))
  if (problem !== null) return rpcError(415, PARSE_ERROR, problem)
  const header = (name: string) => headers.get(name)
  const read = reader.read({ request, header, accountId }, (bytes) => asMessage(parseJson(bytes)))
  const refused = ({ status, code, message, headers: answered }: ApiError) =>
    rpcError(status, RPC_CODES[code] ?? PARSE_ERROR, message, answered)
  return read.catch(only(ApiError, refused))
}

const PARSE_ERROR = -32700
const RPC_CODES: Partial<Record<ErrorCode, number>> = { request_too_large: -32600, overloaded: -32000 }

function asMessage(body: unknown): Message | Response {
  const messages = Array.isArray(body) ? body : [body]
  if (messages.length === 0) return rpcError(400, -32600, 'The batch is empty.')
  if (messages.length > BATCH_LIMIT) return rpcError(400, -32600, `A batch has at most ${BATCH_LIMIT} messages.`)
  return {
    body,
    requests: messages.filter(
      (message) => member(message, 'id') !== undefined && member(message, 'method') !== undefined,
    ).length,
    asksForProgress: messages.some((message) => progressToken(message) !== undefined),
    extensions: extensionsOf(body),
    subject: Array.isArray(body) ? 'batch' : subjectOf(body),
  }
}

const METHODS = [
  'initialize',
  'notifications/initialized',
  'ping',
  'tools/list',
  'resources/list',
  'resources/read',
  'server/discover',
  'tasks/get',
  'tasks/update',
  'tasks/cancel',
  'events/list',
  'events/subscribe',
  'events/unsubscribe',
]
const TOOLS = ['code_search', 'code_execute']

const CLIENT_CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities'

function extensionsOf(message: unknown): Map<string, object> {
  const params = member(message, 'params')
  const isInitialize = member(message, 'method') === 'initialize'
  const capabilities = isInitialize
    ? member(params, 'capabilities')
    : member(member(params, '_meta'), CLIENT_CAPABILITIES)
  const extensions = member(capabilities, 'extensions')
  if (extensions === null || typeof extensions !== 'object') return new Map()
  return new Map(Object.entries(extensions).filter((entry): entry is [string, object] => isPlainObject(entry[1])))
}

/** Limits tool and method names to a fixed list, so that logs and metrics cannot contain arbitrary names. */
function subjectOf(message: unknown): string {
  const method = member(message, 'method')
  if (method === 'tools/call') return oneOf(TOOLS, member(member(message, 'params'), 'name'))
  return oneOf(METHODS, method)
}

function oneOf(names: string[], given: unknown): string {
  return names.find((name) => name === given) ?? 'other'
}

/** Returns a JSON-RPC error response without a request id, because no request could be read. */
export function rpcError(
  status: number,
  code: number,
  message: string,
  headers: Record<string, string> = {},
): Response {
  return Response.json({ jsonrpc: '2.0', error: { code, message }, id: null }, { status, headers })
}

function progressToken(message: unknown): unknown {
  return member(member(member(message, 'params'), '_meta'), 'progressToken')
}

function member(value: unknown, name: string): unknown {
  return value !== null && typeof value === 'object' ? (value as Record<string, unknown>)[name] : undefined
}
