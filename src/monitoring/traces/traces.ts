import { kindOfError } from '../../errors.ts'

/** The attributes of a span: ids, names and counts, never paths or the content of requests. */
export type Attributes = Record<string, string | number | boolean>

export interface SpanOptions {
  /** `server` responds to a request, `client` sends one, and `consumer` takes work from a queue. */
  kind?: 'internal' | 'server' | 'client' | 'consumer'
  attributes?: Attributes
  /** The parent span in another service; if absent, the current span is the parent. */
  parent?: RemoteParent | undefined
  /** Whether the span starts a new trace even if another span is current. */
  root?: boolean
}

export interface RemoteParent {
  traceId: string
  spanId: string
}

export interface OpenSpan {
  rename(name: string): void
  set(attributes: Attributes): void
  /** Marks the span as failed. Takes a kind of error and not its message, which may contain data of the request. */
  fail(kind: string): void
  end(): void
}

export interface Traces {
  /** Returns the current span; undefined if nothing is traced. */
  current(): OpenSpan | undefined
  /** Begins a child of the current span. The caller has to end it. */
  begin(name: string, options?: SpanOptions): OpenSpan
  within<Result>(span: OpenSpan, work: () => Result): Result
  /** Sends the remaining spans, for at most two seconds. */
  close(): Promise<void>
}

/** Runs `work` in a child of the current span. A rejection marks the span as failed and is passed on. */
export async function traced<Result>(
  traces: Traces,
  name: string,
  options: SpanOptions,
  work: (span: OpenSpan) => Promise<Result>,
): Promise<Result> {
  const span = traces.begin(name, options)
  try {
    return await traces.within(span, () => work(span))
  } catch (error) {
    span.fail(kindOfError(error))
    throw error
  } finally {
    span.end()
  }
}

const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-[0-9a-f]{2}(?:-|$)/

/** Parses the header `traceparent` (W3C Trace Context, section 3.2); undefined if it is missing or invalid. */
export function remoteParent(header: string | null): RemoteParent | undefined {
  const [, traceId, spanId] = TRACEPARENT.exec(header ?? '') ?? []
  return traceId !== undefined && spanId !== undefined ? { traceId, spanId } : undefined
}
