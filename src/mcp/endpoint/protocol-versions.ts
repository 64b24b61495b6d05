import {
  classifyInboundRequest,
  createMcpHandler,
  ProtocolErrorCode,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import { type Message, rpcError } from './request-body.ts'
import { TASKS, undeclaredTasks } from './tasks.ts'

/** Handles a POST request in the client's protocol revision: 2026-07-28, or 2025 and earlier, which have no extensions. */
export async function serve(
  request: Request,
  message: Message,
  makeServer: (era: { hasExtensions: boolean }) => Server,
  stream: boolean,
): Promise<Response> {
  const lenient = withExpectedHeaders(request)
  const revision = classifyInboundRequest({
    httpMethod: 'POST',
    ...optional('protocolVersionHeader', request.headers.get('mcp-protocol-version')),
    ...optional('mcpMethodHeader', request.headers.get('mcp-method')),
    ...optional('mcpNameHeader', request.headers.get('mcp-name')),
    body: message.body,
  })
  if (revision.kind === 'legacy') return serveLegacy(lenient, message, makeServer({ hasExtensions: false }), stream)
  const response = await createMcpHandler(() => makeServer({ hasExtensions: true }), SUBSCRIPTIONS).fetch(lenient, {
    parsedBody: message.body,
  })
  return isSubscription(message) ? withoutSubscriptions(response, message) : response
}

/** Keeps the library from opening subscriptions (`subscriptions/listen`), because there is nothing to listen to. */
const SUBSCRIPTIONS = { legacy: 'reject', maxSubscriptions: 0 } as const

function isSubscription({ body }: Message): boolean {
  return (body as { method?: unknown } | null)?.method === 'subscriptions/listen'
}

/** Replaces the library's response, which says that a limit is reached and so would make clients retry. */
function withoutSubscriptions(response: Response, { body, extensions }: Message): Response {
  if (response.status !== 200) return response
  const { id, params } = body as { id: unknown; params?: { notifications?: { taskIds?: unknown } } }
  if (params?.notifications?.taskIds !== undefined && !extensions.has(TASKS)) {
    const { code, message, data } = undeclaredTasks()
    return Response.json({ jsonrpc: '2.0', id, error: { code, message, data } }, { status: 400 })
  }
  const error = { code: ProtocolErrorCode.MethodNotFound, message: 'Method not found: subscriptions/listen' }
  return Response.json({ jsonrpc: '2.0', id, error }, { status: 404 })
}

/** Sets the headers that the library requires and that clients such as curl do not send. */
function withExpectedHeaders(request: Request): Request {
  const headers = new Headers(request.headers)
  headers.set('accept', 'application/json, text/event-stream')
  headers.set('content-type', 'application/json')
  headers.delete('content-length')
  return new Request(request.url, { method: 'POST', headers, signal: request.signal })
}

async function serveLegacy(request: Request, message: Message, server: Server, stream: boolean): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: !stream })
  await server.connect(transport)
  const close = () => void server.close().catch(() => {})
  const gone = new Promise<Response>((resolve) => {
    request.signal.addEventListener('abort', () => resolve(rpcError(499, -32000, 'The connection was closed.')), {
      once: true,
    })
  })
  request.signal.addEventListener('abort', close, { once: true })
  const response = await Promise.race([transport.handleRequest(request, { parsedBody: message.body }), gone])
  if (!stream) close()
  return response
}

function optional<Name extends string>(name: Name, value: string | null): { [key in Name]?: string } {
  return value === null ? {} : ({ [name]: value } as { [key in Name]?: string })
}
