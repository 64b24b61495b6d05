import type { IncomingMessage, Server } from 'node:http'

const long = new WeakMap<object, number>()

/** Extends the time limit for the body of an authorized upload. Without `ms`, only the server's own maximum applies. */
export function allowLong(request: object | undefined, ms = Number.POSITIVE_INFINITY): void {
  if (request) long.set(request, ms)
}

/** Ends requests whose bodies do not arrive in time. Node.js has only one time limit for all requests. */
export function limitBodies(server: Server, requestMs: number): void {
  const watch = (request: IncomingMessage) => {
    if (!hasBody(request)) return
    const end = () => {
      if (request.complete) return
      server.emit('clientError', Object.assign(new Error('Too slow'), { code: LATE }), request.socket)
    }
    const checkAfter = (ms: number, check: () => void) => {
      const timer = setTimeout(check, ms)
      timer.unref()
      request.once('close', () => clearTimeout(timer))
    }
    checkAfter(requestMs, () => {
      const allowed = long.get(request) ?? 0
      if (allowed <= requestMs) end()
      else if (Number.isFinite(allowed)) checkAfter(allowed - requestMs, end)
    })
  }
  server.on('request', watch)
  server.on('checkExpectation', watch)
}

const LATE = 'ERR_HTTP_REQUEST_TIMEOUT'

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}
