import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Connections } from './connections.ts'
import type { HttpHandler } from './http.ts'
import { type ConnectionLimits, connectionLimits } from './limits.ts'
import { answerAll, serverWithin } from './server.ts'

/** The server cannot listen on its address. The message explains why, and how to fix it. */
export class ListenError extends Error {}

export interface Listening {
  port: number
  publicUrl: string
  /** Sets the handler of all requests. Earlier requests wait for it. */
  serve(handler: HttpHandler): void
  /** Accepts no more requests, closes idle connections, and waits up to `graceMs` for running requests. */
  stop(graceMs?: number): Promise<void>
}

interface ListenOptions {
  /** By default, http on localhost with the port. */
  publicUrl?: string | undefined
  /** Whether all connections come from a proxy, so that many clients share an IP address. */
  behindProxy?: boolean
  limits?: ConnectionLimits
}

/** Listens before anything else is opened, so that an invalid address has no other effects. Throws ListenError. */
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

/** The time for running requests when the process stops, so that a busy client cannot keep it running. */
const GRACE_MS = 10_000

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
