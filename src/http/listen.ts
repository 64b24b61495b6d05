import type { AddressInfo } from 'node:net'
import { createAdaptorServer, type HttpBindings, type ServerType } from '@hono/node-server'
import type { HttpHandler } from './http.ts'

/** The address cannot be listened on; the message says why and what to do. */
export class ListenError extends Error {
  override name = 'ListenError'
}

export interface Listening {
  port: number
  /** Hands requests to the handler. Requests that came earlier have waited for it. */
  serve(handler: HttpHandler): void
  /** Takes no further requests, closes idle connections and lets running requests finish. */
  stop(): Promise<void>
}

/** Claims an address before anything else is opened, so that a wrong address leaves nothing behind. Throws ListenError. */
export async function listen(host: string, port: number): Promise<Listening> {
  const handler = Promise.withResolvers<HttpHandler>()
  let handle: HttpHandler = async (request, environment) => (await handler.promise)(request, environment)
  const server = createAdaptorServer({
    fetch: (request, environment) => handle(request, environment as Partial<HttpBindings>),
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(explained(error, host, port)))
    server.listen(port, host, resolve)
  })
  return {
    port: (server.address() as AddressInfo).port,
    serve(ready) {
      handle = ready
      handler.resolve(ready)
    },
    stop: () => stop(server),
  }
}

function explained(error: NodeJS.ErrnoException, host: string, port: number): Error {
  const sentence = {
    EADDRINUSE: `Port ${port} is in use by another program: stop that one, or set PORT to another port.`,
    EACCES: `Port ${port} is reserved for the system: set PORT to one above 1023.`,
    EADDRNOTAVAIL: `HOST ${host} is not an address of this machine.`,
    ENOTFOUND: `HOST ${host} is not an address of this machine.`,
  }[error.code ?? '']
  return sentence === undefined ? error : new ListenError(sentence)
}

/** A client that keeps its connection busy must not keep the process running for ever. */
const DRAIN_MS = 10_000

/** How often connections that have become idle are closed. */
const SWEEP_MS = 50

function stop(server: ServerType): Promise<void> {
  return new Promise((resolve) => {
    const timers: NodeJS.Timeout[] = []
    server.close(() => {
      for (const timer of timers) clearTimeout(timer)
      resolve()
    })
    if (!('closeIdleConnections' in server)) return
    server.closeIdleConnections()
    timers.push(setInterval(() => server.closeIdleConnections(), SWEEP_MS))
    timers.push(setTimeout(() => server.closeAllConnections(), DRAIN_MS))
  })
}
