import { connect } from 'node:net'

export interface Load {
  port: number
  /** `previous` is the body of the previous response on the same connection, and empty for the first request. */
  request(previous: string): string
  connections: number
  durationMs: number
}

export interface LoadResult {
  perSecond: number
  medianMs: number
  p99Ms: number
  statuses: Record<number, number>
}

/** Sends requests over keep-alive connections. Each is sent as soon as the previous response has arrived (a closed loop). */
export async function load({ port, request, connections, durationMs }: Load): Promise<LoadResult> {
  const latencies: number[] = []
  const statuses: Record<number, number> = {}
  const started = performance.now()
  const end = started + durationMs
  await Promise.all(
    Array.from({ length: connections }, () =>
      converse(port, request, end, (latencyMs, status) => {
        latencies.push(latencyMs)
        statuses[status] = (statuses[status] ?? 0) + 1
      }),
    ),
  )
  const elapsed = performance.now() - started
  latencies.sort((a, b) => a - b)
  const at = (share: number) => latencies[Math.floor(latencies.length * share)] ?? Number.NaN
  return { perSecond: (latencies.length / elapsed) * 1000, medianMs: at(0.5), p99Ms: at(0.99), statuses }
}

async function converse(
  port: number,
  request: (previous: string) => string,
  end: number,
  answered: (latencyMs: number, status: number) => void,
): Promise<void> {
  const { send, close } = await openConnection(port)
  let previous = ''
  while (performance.now() < end) {
    const sentAt = performance.now()
    const { status, body } = await send(request(previous))
    answered(performance.now() - sentAt, status)
    previous = body
  }
  await close()
}

export interface Answer {
  status: number
  head: string
  body: string
}

export type Send = (request: string) => Promise<Answer>

/** Opens a keep-alive connection to a local port. */
export function openConnection(port: number): Promise<{ send: Send; close(): Promise<void> }> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true }).setEncoding('latin1')
  let received = ''
  let waiting: PromiseWithResolvers<Answer> | undefined
  socket.on('error', (error) => waiting?.reject(error))
  socket.on('close', () => waiting?.reject(new Error(`The server closed the connection after: ${received}`)))
  socket.on('data', (text: string) => {
    received += text
    const headEnd = received.indexOf('\r\n\r\n')
    if (headEnd < 0) return
    const head = received.slice(0, headEnd)
    const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)
    if (received.length < headEnd + 4 + length) return
    const body = received.slice(headEnd + 4)
    received = ''
    waiting?.resolve({ status: Number(head.slice(9, 12)), head, body })
  })
  const send = (request: string) => {
    if (socket.destroyed) return Promise.reject(new Error('The connection is closed.'))
    waiting = Promise.withResolvers()
    socket.write(request)
    return waiting.promise
  }
  const close = () => new Promise<void>((resolve) => socket.end(resolve))
  return new Promise((resolve, reject) => {
    socket.once('error', reject)
    socket.once('connect', () => resolve({ send, close }))
  })
}

export function httpRequest(method: string, path: string, token: string, body?: unknown): string {
  return requestWith({ Authorization: `Bearer ${token}` }, method, path, body)
}

export function requestWith(headers: Record<string, string>, method: string, path: string, body?: unknown): string {
  const payload = body === undefined ? '' : JSON.stringify(body)
  const content = payload && `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(payload)}\r\n`
  const sent = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${sent.join('')}${content}\r\n${payload}`
}

export function pageRequest(path: string): string {
  return `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/html\r\n\r\n`
}

export function formRequest(path: string, fields: Record<string, string>): string {
  const body = new URLSearchParams(fields).toString()
  const content = `Content-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\n`
  return `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nSec-Fetch-Site: same-origin\r\n${content}\r\n${body}`
}
