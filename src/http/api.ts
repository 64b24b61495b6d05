import type { Authenticator } from '../access/authenticate.ts'
import { readQueryString } from '../contract/given.ts'
import type { OperationAnswer } from '../pipeline/request.ts'
import { newRequestId, type Pipeline } from '../pipeline/run.ts'
import { readBody } from './body.ts'

export interface ApiParts {
  pipeline: Pipeline
  authenticator: Authenticator
  log: { error(details: object, message: string): void }
}

const VERSION_PREFIX = '/v1'

/** One request as it came. */
export interface Incoming {
  request: Request
  /** The client's address. */
  address: string
  /** A header by its lower-case name. */
  header(name: string): string | null
}

/** Answers one REST request: translates it, lets the pipeline decide, and translates the answer. */
export async function answerOperation(
  { pipeline, authenticator }: ApiParts,
  { request, address, header }: Incoming,
): Promise<Response> {
  const requestId = newRequestId()
  const refusal: OperationAnswer = {
    status: 500,
    headers: { 'Request-Id': requestId },
    body: {},
    operationId: null,
    ignored: [],
    changes: [],
    enqueued: false,
  }
  try {
    const caller = await authenticator.authenticate(header('authorization'), address)
    const { path, query } = addressOf(request.url)
    const method = request.method === 'HEAD' ? 'GET' : request.method
    const idempotencyKey = header('idempotency-key') ?? undefined
    const body =
      method === 'GET' || method === 'DELETE'
        ? undefined
        : await readBody(request, Number(header('content-length') ?? 0))
    return toResponse(await pipeline.run({ method, path, query, body, idempotencyKey, caller, requestId }))
  } catch (error) {
    pipeline.refuse(error, refusal)
    return toResponse(refusal)
  }
}

function toResponse({ status, headers, body }: OperationAnswer): Response {
  headers['Content-Type'] = 'application/json'
  return new Response(JSON.stringify(body), { status, headers })
}

/** Path without the version prefix, and the query with repeated parameters as arrays. */
function addressOf(url: string): { path: string; query: Record<string, unknown> } {
  const start = url.indexOf('/', url.indexOf('//') + 2)
  const end = url.indexOf('?', start)
  const path = url.slice(start + VERSION_PREFIX.length, end < 0 ? undefined : end)
  return { path: path || '/', query: end < 0 ? {} : readQueryString(url.slice(end + 1)) }
}
