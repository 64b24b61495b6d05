/** What a span says about its work: ids, names and counts, never what was sent, nor a path. */
export type Attributes = Record<string, string | number | boolean>

export interface SpanOptions {
  /** `server` answers somebody, `client` asks somebody else, `consumer` takes work from a queue. */
  kind?: 'internal' | 'server' | 'client' | 'consumer'
  attributes?: Attributes
  /** The span of a caller elsewhere, which this one belongs to; by default the current one. */
  parent?: RemoteParent | undefined
  /** Begins a trace of its own, whoever woke this work. */
  root?: boolean
}

/** A span of another service, as the header `traceparent` names it. */
export interface RemoteParent {
  traceId: string
  spanId: string
}

export interface OpenSpan {
  rename(name: string): void
  set(attributes: Attributes): void
  /** Marks it as failed by a kind of error; messages may hold what was sent, so they are left out. */
  fail(kind: string): void
  end(): void
}

/** Times pieces of work, as they contain each other. */
export interface Traces {
  /** The piece of work that goes on here; undefined where nothing is traced. */
  current(): OpenSpan | undefined
  /** Begins a piece of the current one. Whoever begins it ends it. */
  begin(name: string, options?: SpanOptions): OpenSpan
  /** Runs work as a part of a piece that has begun. */
  within<Result>(span: OpenSpan, work: () => Result): Result
  /** Sends what is still here, for two seconds at most. */
  close(): Promise<void>
}

/** Times `work` as a piece of the current one; a rejection marks it as failed and is passed on. */
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
    span.fail(kindOf(error))
    throw error
  } finally {
    span.end()
  }
}

export function kindOf(error: unknown): string {
  return error instanceof Error ? error.name : typeof error
}

const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-[0-9a-f]{2}(?:-|$)/

/** The caller's span by the header `traceparent` (W3C Trace Context, section 3.2); undefined where it names none. */
export function remoteParent(header: string | null): RemoteParent | undefined {
  const [, traceId, spanId] = TRACEPARENT.exec(header ?? '') ?? []
  return traceId !== undefined && spanId !== undefined ? { traceId, spanId } : undefined
}
