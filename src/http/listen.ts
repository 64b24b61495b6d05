import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Connections } from './connections.ts'
import type { HttpHandler } from './http.ts'
import { type ConnectionLimits, connectionLimits } from './limits.ts'
import { answerAll, serverWithin } from './server.ts'

/** The address cannot be used; the message says why and what to do. */
export class ListenError extends Error {
  override name = 'ListenError'
}

export interface Listening {
  port: number
  /** The public address of the service, without a trailing slash. */
  publicUrl: string
  /** Passes requests to the handler, including earlier requests that have waited for it. */
  serve(handler: HttpHandler): void
  /** Accepts no further requests, closes idle connections and lets running requests finish for up to `graceMs`. */
  stop(graceMs?: number): Promise<void>
}

interface ListenOptions {
  /** Defaults to localhost and the port. */
  publicUrl?: string | undefined
  /** Whether connections come from a proxy, which serves many clients. */
  behindProxy?: boolean
  limits?: ConnectionLimits
}

/** Listens before anything else is opened, so that an invalid address leaves nothing behind. Throws ListenError. */
export async function listen(host: string, port: number, options: ListenOptions = {}): Promise<Listening> {
  const { publicUrl, behindProxy = false, limits = connectionLimits } = options
  const handler = Promise.withResolvers<HttpHandler>()
  let handle: HttpHandler = async (request, environment) => (await handler.promise)(request, environment)
  const server = serverWithin(limits)
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(explained(error, host, port)))
    server.listen(port, host, resolve)
  })
  const listening = (server.address() as AddressInfo).port
  const reached = publicUrl ?? `http://localhost:${listening}`
  const connections = new Connections(limits, { behindProxy })
  answerAll(server, connections, reached, (request, bindings) => handle(request, bindings))
  return {
    port: listening,
    publicUrl: reached,
    serve(ready) {
      handle = ready
      handler.resolve(ready)
    },
    async stop(graceMs = GRACE_MS) {
      connections.stop()
      await stop(server, graceMs)
    },
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

/** A client that keeps its connection busy must not keep the process running indefinitely. */
const GRACE_MS = 10_000

/** How often idle connections are closed. */
const SWEEP_MS = 50

function stop(server: Server, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const timers: NodeJS.Timeout[] = []
    server.close(() => {
      for (const timer of timers) clearTimeout(timer)
      resolve()
    })
    server.closeIdleConnections()
    timers.push(setInterval(() => server.closeIdleConnections(), SWEEP_MS))
    timers.push(setTimeout(() => server.closeAllConnections(), graceMs))
  })
}
