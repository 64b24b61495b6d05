import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'
import type { Body } from './shop.ts'

/** A received request. */
export interface Received {
  path: string
  headers: IncomingHttpHeaders
  /** The bytes, as they were signed. */
  raw: string
  body: Body
  /** The time of `performance.now()` when the request was complete. */
  at: number
}

type Answer = number | ((response: ServerResponse, received: Received) => void)

/** A real HTTP server that endpoints lead to. */
export interface Receiver {
  url: string
  received: Received[]
  /** The responses by path: a status or a function. The default is 200. */
  answers: Map<string, Answer>
  /** The requests to a path. */
  at(path: string): Received[]
  /** Resolves with the requests to the path when there are `count` of them. */
  until(count: number, path?: string): Promise<Received[]>
  close(): Promise<void>
}

const LONGEST_WAIT_MS = 240_000

/** Starts it on a free port. One that keeps nothing alive need not be closed. */
export async function startReceiver({ keepsAlive = true } = {}): Promise<Receiver> {
  const received: Received[] = []
  const answers = new Map<string, Answer>()
  const watchers = new Set<() => void>()
  const server: Server = createServer(async (request, response) => {
    const one = await read(request)
    received.push(one)
    for (const look of watchers) look()
    const answer = answers.get(one.path) ?? 200
    if (typeof answer === 'number') response.writeHead(answer).end('thanks')
    else answer(response, one)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  if (!keepsAlive) server.unref()
  const at = (path: string) => received.filter((one) => one.path === path)
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    answers,
    at,
    async until(count, path) {
      const found = () => (path === undefined ? received : at(path))
      const done = Promise.withResolvers<void>()
      const look = () => found().length >= count && done.resolve()
      watchers.add(look)
      const timer = setTimeout(() => {
        const paths = found().map((one) => `${one.path} ${one.headers['x-webhook-event']}`)
        done.reject(new Error(`Only ${paths.length} of ${count} requests came: ${paths.slice(0, 20).join(', ')}`))
      }, LONGEST_WAIT_MS)
      look()
      await done.promise.finally(() => {
        clearTimeout(timer)
        watchers.delete(look)
      })
      return found()
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Throws unless the package of the Standard Webhooks specification accepts the signature. */
export function verify(secret: string, { raw, headers }: Received): void {
  new Webhook(secret).verify(raw, headers as Record<string, string>)
}

async function read(request: IncomingMessage): Promise<Received> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const raw = Buffer.concat(chunks).toString('utf8')
  return { path: request.url!, headers: request.headers, raw, body: JSON.parse(raw), at: performance.now() }
}
