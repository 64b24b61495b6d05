import type { IncomingMessage, Server } from 'node:http'

const long = new WeakSet<object>()

/** Lets the body of a request take as long as the server allows at all: for uploads of those who may send one. */
export function allowLong(request: object | undefined): void {
  if (request) long.add(request)
}

/** Ends requests whose bodies are not complete in time, as the server itself does with those that take far too long. */
export function limitBodies(server: Server, requestMs: number): void {
  const watch = (request: IncomingMessage) => {
    if (!hasBody(request)) return
    const timer = setTimeout(() => {
      if (request.complete || long.has(request)) return
      server.emit('clientError', Object.assign(new Error('Too slow'), { code: LATE }), request.socket)
    }, requestMs)
    timer.unref()
    request.once('close', () => clearTimeout(timer))
  }
  server.on('request', watch)
  server.on('checkExpectation', watch)
}

const LATE = 'ERR_HTTP_REQUEST_TIMEOUT'

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}
