import type { Caller } from '../contract/declarations/caller.ts'
import { ApiError, internalError, tooManyRequests } from '../contract/declarations/errors.ts'
import type { RequestRecord } from '../monitoring/records.ts'
import type { BodyReader } from '../pipeline/body-reader.ts'
import { databaseRefusal } from '../pipeline/database-refusal.ts'
import type { ProgramBudgetOptions, RunBudget } from '../pipeline/program-budget.ts'
import type { RequestLog } from '../pipeline/request-log.ts'
import { lazy } from '../runtime/lazy.ts'
import { APPS, isAppsSession, newAppsSession, takesPages } from './apps/extension.ts'
import type { PlanFrame } from './apps/plan-frame.ts'
import { type Addresses, refuseForeign } from './endpoint/addresses.ts'
import type { EventParts } from './endpoint/events.ts'
import { readMessage, rpcError } from './endpoint/request-body.ts'
import type { ToolRunner } from './endpoint/server.ts'
import type { Skill } from './endpoint/skills.ts'
import type { Log } from './program/calls.ts'

/** The MCP library takes many megabytes of memory, so it is loaded when the first message arrives. */
const protocol = lazy(() => Promise.all([import('./endpoint/protocol-versions.ts'), import('./endpoint/server.ts')]))

interface RateLimitResult {
  allowed: boolean
  /** The headers `RateLimit`, `RateLimit-Policy` and, when the request is refused, `Retry-After`. */
  headers: Record<string, string>
}

/** Rejects with ApiError if the token is invalid. */
type Authenticate = (authorizationHeader: string | null, clientAddress: string) => Promise<Caller>

export interface EndpointParts {
  bodies: BodyReader
  spend(caller: Caller): RateLimitResult | Promise<RateLimitResult>
  programBudget(caller: Caller, options: ProgramBudgetOptions): RunBudget
  requests: Pick<RequestLog, 'record'>
  frame: PlanFrame
  skill(): Promise<Skill>
  events: EventParts
  docsUrl: string
  log: Log
}

export interface McpRequest {
  request: Request
  clientAddress: string
  requestId: string
  record: RequestRecord
  /** Accepts only the kind of token that is valid at the requested address. */
  authenticate: Authenticate
}

export async function answerHttp(
  parts: EndpointParts,
  addresses: Addresses,
  runner: ToolRunner,
  incoming: McpRequest,
): Promise<Response> {
  const { request, record } = incoming
  record.transport = 'mcp'
  record.operation = 'none'
  const refusal = refuseForeign(request, addresses) ?? refuseMethod(request)
  if (refusal !== null) return refusal
  const began = performance.now()
  const noted: RequestFacts = {}
  const response = await answerNoted(parts, runner, incoming, noted)
  if (noted.caller)
    logRequest(parts, { ...noted, caller: noted.caller }, incoming, response.status, performance.now() - began)
  return response
}

interface RequestFacts {
  caller?: Caller
  error?: Record<string, unknown>
}

async function answerNoted(
  parts: EndpointParts,
  runner: ToolRunner,
  incoming: McpRequest,
  noted: RequestFacts,
): Promise<Response> {
  const { request, clientAddress, requestId, authenticate } = incoming
  try {
    const caller = await authenticate(request.headers.get('authorization'), clientAddress)
    noted.caller = caller
    return await answerCaller(parts, runner, incoming, caller)
  } catch (error) {
    const refusal = refusalOf(parts, error, requestId)
    if (refusal) {
      noted.error = refusal.body(parts.docsUrl).error
      return apiError(refusal, parts.docsUrl)
    }
    return rpcError(500, -32603, internalError(requestId).message)
  }
}

/** Returns the error that clients may read; null for a bug. Logs all but ordinary refusals. */
function refusalOf({ log }: EndpointParts, error: unknown, requestId: string): ApiError | null {
  const refusal = error instanceof ApiError ? error : databaseRefusal(error)
  if (refusal !== error) log.error({ err: error, requestId }, 'The MCP endpoint failed')
  return refusal
}

/** Adds the request to the log that the account's developers can read. */
function logRequest(
  { requests }: EndpointParts,
  { caller, error = {} }: RequestFacts & { caller: Caller },
  { request, requestId: id, record }: McpRequest,
  status: number,
  durationMs: number,
): void {
  const { method, operation } = record
  const path = new URL(request.url).pathname
  requests.record({ id, caller, transport: 'mcp', method, path, operation, status, error, durationMs })
}

async function answerCaller(
  parts: EndpointParts,
  runner: ToolRunner,
  { request, requestId, record }: McpRequest,
  caller: Caller,
): Promise<Response> {
  const message = await readMessage(parts.bodies, request, caller.accountId)
  if (!(message instanceof Response)) record.operation = message.subject
  const requests = message instanceof Response ? 1 : Math.max(1, message.requests)
  const spending = await spendAll(parts, caller, requests)
  if (!spending.allowed) throw tooManyRequests(spending.headers)
  if (message instanceof Response) return withHeaders(message, spending.headers)
  const mayStream = message.asksForProgress && acceptsStream(request)
  let left = spending.headers
  const onSpent = (headers: Record<string, string>) => {
    left = headers
  }
  const programBudget = () => parts.programBudget(caller, { requestPaid: true, onSpent })
  const { extensions } = message
  const [{ serve }, { mcpServer }] = await protocol()
  const declares = takesPages(extensions.get(APPS))
  const messageOf = (error: unknown) =>
    request.signal.aborted
      ? 'The connection was closed.'
      : (refusalOf(parts, error, requestId) ?? internalError(requestId)).message
  const shared = { skill: parts.skill, events: parts.events, messageOf }
  const exchange = { caller, requestId, signal: request.signal, mayStream, programBudget, ...shared }
  const makeServer = ({ hasExtensions }: { hasExtensions: boolean }) => {
    const shows = declares || (!hasExtensions && isAppsSession(request.headers.get(SESSION_ID)))
    return mcpServer(runner, {
      ...exchange,
      extensions: hasExtensions ? extensions : null,
      frame: shows ? parts.frame : null,
    })
  }
  const response = await serve(request, message, makeServer, mayStream)
  const session = declares && message.subject === 'initialize' && { [SESSION_ID]: newAppsSession() }
  // The headers of a stream are sent before the program makes its calls, so they show the rate limit without those calls.
  return withHeaders(response, { ...left, ...session })
}

const SESSION_ID = 'Mcp-Session-Id'

/** Refuses methods other than POST. GET would open a stream and DELETE end a session, but this endpoint has neither. */
function refuseMethod(request: Request): Response | null {
  if (request.method === 'POST') return null
  const { pathname } = new URL(request.url)
  return rpcError(
    405,
    -32000,
    `${request.method} is not allowed on ${pathname}. Allowed: POST, with a JSON-RPC message`,
    {
      Allow: 'POST',
    },
  )
}

/** Counts each request of a JSON-RPC batch against the rate limit, until the limit is exceeded. */
async function spendAll(parts: EndpointParts, caller: Caller, requests: number): Promise<RateLimitResult> {
  let spending = await parts.spend(caller)
  for (let spent = 1; spent < requests && spending.allowed; spent++) spending = await parts.spend(caller)
  return spending
}

function acceptsStream(request: Request): boolean {
  return /text\/event-stream|\*\/\*/.test(request.headers.get('accept') ?? '')
}

function apiError(error: ApiError, docsUrl: string): Response {
  return Response.json(error.body(docsUrl), { status: error.status, headers: error.headers })
}

function withHeaders(response: Response, headers: Record<string, string>): Response {
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value)
  return response
}
