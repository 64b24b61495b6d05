import type { Authenticator } from '../access/authenticate.ts'
import { ApiError } from '../contract/declarations/errors.ts'
import { readQueryString } from '../contract/requests/given.ts'
import type { HeaderOf } from '../contract/requests/header-of.ts'
import { unreadable } from '../contract/requests/media-type.ts'
import type { RequestRecord } from '../monitoring/records.ts'
import { type BodyReader, parseJson } from '../pipeline/body-reader.ts'
import type { Caller, OperationAnswer } from '../pipeline/request.ts'
import type { RequestLog } from '../pipeline/request-log.ts'
import { blankAnswer, newRequestId, type Pipeline } from '../pipeline/run.ts'
import { VERSION } from '../runtime/version.ts'
import { noteCaller } from './request-record.ts'

export interface ApiParts {
  bodies: BodyReader
  pipeline: Pipeline
  authenticator: Authenticator
  requests: Pick<RequestLog, 'record'>
  log: { error(details: object, message: string): void }
}

const VERSION_PREFIX = '/v1'
const WITHOUT_BODY = ['GET', 'HEAD', 'DELETE', 'OPTIONS']

export interface ApiRequest {
  request: Request
  address: string
  /** Returns the header with this name, which must be in lower case; null if it is absent. */
  header(name: string): string | null
  /** The request's record for the log and metrics, which is filled in during the request. */
  record?: RequestRecord | undefined
}

/** Converts a REST request to a request for an operation, and the result to a Response. */
export async function answerOperation(parts: ApiParts, incoming: ApiRequest): Promise<Response> {
  const { pipeline, authenticator } = parts
  const answer = blankAnswer(newRequestId())
  const began = performance.now()
  const { record } = incoming
  let caller: Caller | undefined
  try {
    caller = await authenticator.authenticate(incoming.header('authorization'), incoming.address)
    noteCaller(record, caller)
    // The rate limit comes first, so that every authenticated request counts and every response has the headers.
    await pipeline.budget.take(caller, answer)
    await run(parts, caller, incoming, answer)
  } catch (error) {
    pipeline.refuse(error, answer)
  }
  if (caller) logRequest(parts, caller, incoming.request, answer, performance.now() - began)
  if (record) noteAnswer(record, answer)
  return incoming.request.method === 'OPTIONS' && answer.headers.Allow ? toOptions(answer) : toResponse(answer)
}

function noteAnswer(record: RequestRecord, { headers, operationId }: OperationAnswer): void {
  record.transport = 'rest'
  record.requestId = headers['Request-Id']!
  record.operation = operationId ?? 'none'
}

async function run(
  { pipeline, bodies }: ApiParts,
  caller: Caller,
  { request, header }: ApiRequest,
  answer: OperationAnswer,
): Promise<void> {
  const { method } = request
  const { path, query } = addressOf(request.url)
  const idempotencyKey = header('idempotency-key') ?? undefined
  const operation = { method, path, query, idempotencyKey, caller }
  if (WITHOUT_BODY.includes(method)) await pipeline.runUnmetered({ ...operation, body: undefined }, answer)
  else
    await bodies.read({ request, header, accountId: caller.accountId }, (bytes) =>
      pipeline.runUnmetered({ ...operation, body: parseBody(bytes, header) }, answer),
    )
}

/** Returns undefined if the body is empty. Throws `unsupported_media_type`, `invalid_json` or `request_too_large`. */
function parseBody(bytes: Uint8Array, header: HeaderOf): unknown {
  if (bytes.length === 0) return undefined
  const problem = unreadable(header('content-type'), header('content-encoding'))
  if (problem !== null) throw new ApiError('unsupported_media_type', problem)
  return parseJson(bytes)
}

function logRequest(
  { requests }: ApiParts,
  caller: Caller,
  { method, url }: Request,
  { headers, operationId, status, body }: OperationAnswer,
  durationMs: number,
): void {
  const path = pathOf(url)
  const error = status >= 400 ? ((body.error as Record<string, unknown> | undefined) ?? null) : null
  const id = headers['Request-Id']!
  requests.record({ id, caller, transport: 'rest', method, path, operation: operationId, status, error, durationMs })
}

function toResponse({ status, headers, body }: OperationAnswer): Response {
  headers['Content-Type'] = 'application/json'
  headers['Cache-Control'] = 'no-store'
  headers['Shopwright-Version'] = VERSION
  return new Response(JSON.stringify(body), { status, headers })
}

/** Converts the refusal of an OPTIONS request, whose headers list the allowed methods, to a 204 response. */
function toOptions({ headers }: OperationAnswer): Response {
  headers['Cache-Control'] = 'no-store'
  return new Response(null, { status: 204, headers })
}

/** Returns the path with the version prefix, without the query. */
function pathOf(url: string): string {
  const start = url.indexOf('/', url.indexOf('//') + 2)
  const end = url.indexOf('?', start)
  return url.slice(start, end < 0 ? undefined : end)
}

/** Returns the path without the version prefix, and the query. A repeated parameter becomes an array. */
function addressOf(url: string): { path: string; query: Record<string, unknown> } {
  const start = url.indexOf('/', url.indexOf('//') + 2)
  const end = url.indexOf('?', start)
  const path = url.slice(start + VERSION_PREFIX.length, end < 0 ? undefined : end)
  return { path: path || '/', query: end < 0 ? {} : readQueryString(url.slice(end + 1)) }
}
