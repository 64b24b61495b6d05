import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { kindOf, type OpenSpan, type Traces } from './traces.ts'

/** A request that leaves this process, as `undici` and `node:http` announce it. */
interface Announced {
  request: object & { origin?: unknown; host?: string; method?: string }
  response?: { statusCode?: number }
  error?: unknown
}

/** Where each of them says that a request begins, has an answer, or has none. */
const CHANNELS = {
  begun: ['undici:request:create', 'http.client.request.start'],
  answered: ['undici:request:headers', 'http.client.response.finish'],
  failed: ['undici:request:error', 'http.client.request.error'],
}

/**
 * Times requests to other services, whichever library makes them, until their answer begins. Of the address only the host is
 * kept: paths and queries of webhooks are secrets. Returns what ends the watch.
 */
export function watchOutgoing(traces: Traces): () => void {
  const open = new WeakMap<object, OpenSpan>()
  const begun = ({ request }: Announced) => {
    if (!traces.current()) return
    const method = request.method ?? 'GET'
    const attributes = { 'http.request.method': method, 'server.address': hostOf(request) }
    open.set(request, traces.begin(`${method} outside`, { kind: 'client', attributes }))
  }
  const answered = ({ request, response }: Announced) => {
    const status = response?.statusCode ?? 0
    const span = open.get(request)
    span?.set({ 'http.response.status_code': status })
    if (status >= 400) span?.fail(String(status))
    close(request)
  }
  const failed = ({ request, error }: Announced) => {
    open.get(request)?.fail(kindOf(error))
    close(request)
  }
  const close = (request: object) => {
    open.get(request)?.end()
    open.delete(request)
  }
  const heard = (hear: (announced: Announced) => void) => (message: unknown) => {
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

function isAnnounced(message: unknown): message is Announced {
  return typeof message === 'object' && message !== null && 'request' in message
}

function hostOf({ origin, host }: Announced['request']): string {
  const address = String(origin ?? '')
  return URL.canParse(address) ? new URL(address).hostname : (host ?? 'unknown')
}
