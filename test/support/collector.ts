import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A span as OTLP has it in JSON (opentelemetry-proto, trace.proto), with its attributes as plain values. */
export interface CollectedSpan {
  traceId: string
  spanId: string
  parentSpanId: string
  name: string
  kind: number
  failed: boolean
  attributes: Record<string, string | number | boolean>
}

export interface Collector {
  url: string
  spans: CollectedSpan[]
  /** The resource attributes of the last request. */
  resource: Record<string, unknown>
  /** Returns everything received, as text. */
  raw(): string
  close(): Promise<void>
}

const HEX = { trace: /^[0-9a-f]{32}$/, span: /^[0-9a-f]{16}$/ }

type Pairs = { key: string; value: Record<string, unknown> }[]

/** Starts an OpenTelemetry collector that accepts only valid OTLP over HTTP with this key. */
export async function startCollector(key: string): Promise<Collector> {
  let raw = ''
  const collector: Collector = {
    url: '',
    spans: [],
    resource: {},
    raw: () => raw,
    close: () => closed(server),
  }
  const server = createServer(async (request, response) => {
    const { method, url, headers } = request
    let body = ''
    for await (const chunk of request) body += chunk
    const right = method === 'POST' && url === '/v1/traces' && headers['content-type'] === 'application/json'
    if (!right) return response.writeHead(404).end()
    if (headers['api-key'] !== key) return response.writeHead(401).end()
    try {
      take(JSON.parse(body), collector)
    } catch (error) {
      return response.writeHead(400).end(String(error))
    }
    raw += body
    response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  collector.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return collector
}

// biome-ignore lint/suspicious/noExplicitAny: the form is checked as it is read
function take({ resourceSpans }: any, collector: Collector): void {
  for (const { resource, scopeSpans } of resourceSpans) {
    collector.resource = valuesOf(resource.attributes)
    for (const { spans } of scopeSpans)
      for (const span of spans) {
        const { traceId, spanId, parentSpanId = '', name, kind, startTimeUnixNano, endTimeUnixNano, status } = span
        if (!HEX.trace.test(traceId) || !HEX.span.test(spanId)) throw new Error('ids are not in hexadecimal')
        if (!(BigInt(endTimeUnixNano) >= BigInt(startTimeUnixNano))) throw new Error('a span ends before it begins')
        const attributes = valuesOf(span.attributes)
        collector.spans.push({ traceId, spanId, parentSpanId, name, kind, failed: status?.code === 2, attributes })
      }
  }
}

function valuesOf(pairs: Pairs): Record<string, string | number | boolean> {
  return Object.fromEntries(pairs.map(({ key, value }) => [key, Object.values(value)[0] as string | number | boolean]))
}

function closed(server: Server): Promise<void> {
  server.closeAllConnections()
  return new Promise((resolve) => server.close(() => resolve()))
}
