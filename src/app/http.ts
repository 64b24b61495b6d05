import { createHttp, type HttpHandler } from '../http/http.ts'
import { describeRequest, tracedRequests } from '../monitoring/traces/parts.ts'
import { turnsInDatabase, turnsInMemory } from '../pipeline/rate-limit.ts'
import { documentedSettings } from '../settings/documented.ts'
import type { Callers } from './callers.ts'
import type { Core } from './core.ts'
import { isShared } from './foundation.ts'
import type { Endpoint } from './mcp.ts'
import { noticesOf } from './payment-notices.ts'

export function httpOver(core: Core, callers: Callers, endpoint: Endpoint, isStopping: () => boolean): HttpHandler {
  const { settings, database, pipeline, services, publicUrl, observed, writes, log, assembly } = core
  const { mcp, requests, bodies } = endpoint
  const handler = createHttp({
    pipeline,
    ...callers,
    bodies,
    mcp,
    requests,
    notices: noticesOf(core),
    database,
    writes,
    isStopping,
    services,
    publicUrl,
    takeTurn: isShared(database) ? turnsInDatabase(database) : turnsInMemory(),
    postsPerMinute: settings.CHECKOUT_POSTS_PER_MINUTE,
    formPosts: { perClient: settings.FORM_POSTS_PER_CLIENT, perForm: settings.FORM_POSTS_PER_FORM },
    signInsPerMinute: settings.SIGN_INS_PER_MINUTE,
    trustProxy: settings.TRUST_PROXY,
    ownHosts: settings.ALLOWED_HOSTS,
    onAnswered: (record, status, durationMs) => {
      describeRequest(observed.traces, record, status)
      observed.monitor.requestAnswered(record, status, durationMs)
    },
    metrics: observed.metrics,
    documented: documentedSettings(settings),
    features: assembly.features,
    log,
  })
  return tracedRequests(handler, observed.traces)
}
