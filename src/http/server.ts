import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { getRequestListener, type HttpBindings, RequestError } from '@hono/node-server'
import type { Connections } from './connections.ts'
import type { HttpHandler } from './http.ts'
import type { ConnectionLimits } from './limits.ts'
import { limitBodies } from './long-requests.ts'
import { answerUnread, malformed, tooManyConnections, unreadableRequest, unreadResponse } from './malformed.ts'

const CHECK_MS = 1_000

const UNNAMED_HOST = 'localhost'

export function serverWithin(limits: ConnectionLimits): Server {
  const server = createServer({
    maxHeaderSize: limits.headerBytes,
    headersTimeout: limits.headersMs,
    requestTimeout: limits.uploadMs,
    connectionsCheckingInterval: CHECK_MS,
    // Otherwise, Node.js answers a request without the `Host` header itself, with an empty body.
    requireHostHeader: false,
  })
  server.maxConnections = limits.connections
  server.timeout = limits.silentMs
  limitBodies(server, limits.requestMs)
  return server
}

/** Passes requests to the handler. Requests that cannot be read get an error response in the usual form. */
export function answerAll(server: Server, connections: Connections, publicUrl: string, handle: HttpHandler): void {
  const responses = new WeakMap<object, ServerResponse>()
  const listener = getRequestListener((request, bindings) => handle(request, bindings as HttpBindings), {
    hostname: UNNAMED_HOST,
    errorHandler(error) {
      if (error instanceof RequestError) return unreadResponse(malformed('its URL or its Host is invalid'), publicUrl)
      return new Response(null, { status: 500 })
    },
  })
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    responses.set(request.socket, response)
    const problem = hostProblem(request)
    if (problem === null) return void listener(request, response)
    end(request.socket, () => answerUnread(request.socket, malformed(problem), publicUrl))
  }
  server.on('request', answer)
  // The `Expect` header is ignored if its value is unknown (RFC 9110, section 10.1.1).
  server.on('checkExpectation', answer)
  server.on('connect', (_request, socket) =>
    end(socket as Socket, () => answerUnread(socket, malformed('CONNECT is for proxies'), publicUrl)),
  )
  server.on('connection', (socket: Socket) => {
    if (!connections.admit(socket)) end(socket, () => answerUnread(socket, tooManyConnections(), publicUrl))
  })
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    const silent = error.code === 'ECONNRESET' || !socket.writable || responses.get(socket)?.headersSent
    if (silent) socket.destroy()
    else end(socket, () => answerUnread(socket, unreadableRequest(error.code), publicUrl))
  })
}

/** Sends an error response and closes the connection, even if the client is still sending. */
function end(socket: Socket, sendLast: () => void): void {
  sendLast()
  socket.destroySoon()
}

/** Returns the problem with a `Host` header, or null. Exactly one is required, except in HTTP/1.0 (RFC 9112, section 3.2). */
function hostProblem({ httpVersion, headers, rawHeaders }: IncomingMessage): string | null {
  if (headers.host === undefined) return httpVersion === '1.0' ? null : 'the header Host is missing'
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) if (isHost(rawHeaders[at]!)) hosts += 1
  return hosts > 1 ? 'it has more than one header Host' : null
}

function isHost(name: string): boolean {
  return name.length === 4 && name.toLowerCase() === 'host'
}
