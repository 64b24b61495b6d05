import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { setTimeout as delay } from 'node:timers/promises'
import type { Context, Span, Tracer } from '@opentelemetry/api'
import type { SpanExporter } from '@opentelemetry/sdk-trace'
import { kindOfError } from '../../errors.ts'
import { VERSION } from '../../version.ts'
import type { Attributes, OpenSpan, SpanOptions, Traces } from './traces.ts'

interface OutgoingRequest {
  request: object & { origin?: unknown; host?: string; method?: string }
  response?: { statusCode?: number }
  error?: unknown
}

/** The diagnostics channels for the start and the end of a request, of `undici` and `node:http` in this order. */
const CHANNELS = {
  begun: ['undici:request:create', 'http.client.request.start'],
  answered: ['undici:request:headers', 'http.client.response.finish'],
  failed: ['undici:request:error', 'http.client.request.error'],
}

export interface TraceSettings {
  OTEL_EXPORTER_OTLP_ENDPOINT?: string | undefined
  OTEL_EXPORTER_OTLP_HEADERS?: string | undefined
  OTEL_SERVICE_NAME: string
  OTEL_TRACES_SAMPLER_ARG: number
}

interface Log {
  warn(details: object, message: string): void
}

const LOG_GAP_MS = 60_000
const CLOSING_MS = 2_000
const LONGEST_VALUE = 200

type Api = typeof import('@opentelemetry/api')

/** Sends traces to the configured collector. If none is configured, returns null without loading any package of OpenTelemetry. */
export async function openTraces(settings: TraceSettings, log: Log): Promise<Traces | null> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } = settings
  if (endpoint === undefined) return null
  const [api, sdk, { OTLPTraceExporter }, { resourceFromAttributes }] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
  ])
  const storage = new AsyncLocalStorage<ContextSpan>()
  const url = `${endpoint.replace(/\/+$/, '')}/v1/traces`
  const exporter = new OTLPTraceExporter({ url, headers: headersOf(settings.OTEL_EXPORTER_OTLP_HEADERS) })
  const provider = new sdk.TracerProvider({
    resource: resourceFromAttributes({ 'service.name': settings.OTEL_SERVICE_NAME, 'service.version': VERSION }),
    // The sampling flag in a request is ignored, so that strangers cannot turn tracing on with a header.
    sampler: new sdk.TraceIdRatioBasedSampler(settings.OTEL_TRACES_SAMPLER_ARG),
    spanLimits: { attributeValueLengthLimit: LONGEST_VALUE },
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter: withoutTracing(exporter, storage, log) })],
  })
  const traces = new OpenTelemetryTraces(api, provider.getTracer('shopwright', VERSION), storage)
  const unwatch = traceOutgoing(traces)
  traces.onClose = async () => {
    unwatch()
    await Promise.race([provider.shutdown(), delay(CLOSING_MS, undefined, { ref: false })]).catch(() => {})
  }
  return traces
}

class OpenTelemetryTraces implements Traces {
  readonly #api: Api
  readonly #tracer: Tracer
  readonly #storage: AsyncLocalStorage<ContextSpan>
  onClose: () => Promise<void> = async () => {}

  constructor(api: Api, tracer: Tracer, storage: AsyncLocalStorage<ContextSpan>) {
    this.#api = api
    this.#tracer = tracer
    this.#storage = storage
  }

  current(): OpenSpan | undefined {
    const span = this.#storage.getStore()
    return span?.ended ? undefined : span
  }

  begin(name: string, { kind = 'internal', attributes = {}, parent, root = false }: SpanOptions = {}): ContextSpan {
    const { ROOT_CONTEXT, SpanKind, trace, TraceFlags } = this.#api
    const context = parent
      ? trace.setSpanContext(ROOT_CONTEXT, { ...parent, traceFlags: TraceFlags.SAMPLED, isRemote: true })
      : ((root ? undefined : this.#storage.getStore()?.context) ?? ROOT_CONTEXT)
    const kinds = {
      internal: SpanKind.INTERNAL,
      server: SpanKind.SERVER,
      client: SpanKind.CLIENT,
      consumer: SpanKind.CONSUMER,
    }
    const span = this.#tracer.startSpan(name, { kind: kinds[kind], attributes }, context)
    return new ContextSpan(span, trace.setSpan(context, span), this.#api.SpanStatusCode.ERROR)
  }

  within<Result>(span: OpenSpan, work: () => Result): Result {
    return span instanceof ContextSpan ? this.#storage.run(span, work) : work()
  }

  close(): Promise<void> {
    return this.onClose()
  }
}

class ContextSpan implements OpenSpan {
  readonly context: Context
  /** Work that continues after the end of the span does not belong to it. */
  ended = false
  readonly #span: Span
  readonly #error: number

  constructor(span: Span, context: Context, error: number) {
    this.#span = span
    this.context = context
    this.#error = error
  }

  rename(name: string): void {
    this.#span.updateName(name)
  }

  set(attributes: Attributes): void {
    this.#span.setAttributes(attributes)
  }

  fail(kind: string): void {
    this.#span.setStatus({ code: this.#error })
    this.#span.setAttribute('error.type', kind)
  }

  end(): void {
    this.ended = true
    this.#span.end()
  }
}

/** Exports spans outside of any span, so that the export's own request is not traced. */
function withoutTracing(inner: SpanExporter, storage: AsyncLocalStorage<ContextSpan>, log: Log): SpanExporter {
  let silentUntil = 0
  return {
    export: (spans, done) =>
      storage.exit(() =>
        inner.export(spans, (result) => {
          if (result.code !== 0 && performance.now() >= silentUntil) {
            silentUntil = performance.now() + LOG_GAP_MS
            log.warn({ err: result.error, spans: spans.length }, 'Traces could not be sent')
          }
          done(result)
        }),
      ),
    shutdown: () => inner.shutdown(),
  }
}

function headersOf(pairs = ''): Record<string, string> {
  const parts = pairs.split(',').filter(Boolean)
  return Object.fromEntries(parts.map((pair) => [name(pair), decodeURIComponent(pair.slice(name(pair).length + 1))]))
}

function name(pair: string): string {
  return pair.slice(0, pair.indexOf('='))
}

/** Traces requests to other services, but only their host, because paths of webhooks are secrets. Returns a function that stops tracing. */
function traceOutgoing(traces: Traces): () => void {
  const open = new WeakMap<object, OpenSpan>()
  const begun = ({ request }: OutgoingRequest) => {
    if (!traces.current()) return
    const method = request.method ?? 'GET'
    const attributes = { 'http.request.method': method, 'server.address': hostOf(request) }
    open.set(request, traces.begin(`${method} outside`, { kind: 'client', attributes }))
  }
  const answered = ({ request, response }: OutgoingRequest) => {
    const status = response?.statusCode ?? 0
    const span = open.get(request)
    span?.set({ 'http.response.status_code': status })
    if (status >= 400) span?.fail(String(status))
    close(request)
  }
  const failed = ({ request, error }: OutgoingRequest) => {
    open.get(request)?.fail(kindOfError(error))
    close(request)
  }
  const close = (request: object) => {
    open.get(request)?.end()
    open.delete(request)
  }
  const heard = (hear: (announced: OutgoingRequest) => void) => (message: unknown) => {
    if (isAnnounced(message)) hear(message)
  }
  const listeners = [
    ...CHANNELS.begun.map((channel) => [channel, heard(begun)] as const),
    ...CHANNELS.answered.map((channel) => [channel, heard(answered)] as const),
    ...CHANNELS.failed.map((channel) => [channel, heard(failed)] as const),
  ]
  for (const [channel, listener] of listeners) subscribe(channel, listener)
  return () => {
    for (const [channel, listener] of listeners) unsubscribe(channel, listener)
  }
}

function isAnnounced(message: unknown): message is OutgoingRequest {
  return typeof message === 'object' && message !== null && 'request' in message
}

function hostOf({ origin, host }: OutgoingRequest['request']): string {
  const address = String(origin ?? '')
  return URL.canParse(address) ? new URL(address).hostname : (host ?? 'unknown')
}
