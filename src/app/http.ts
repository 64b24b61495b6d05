import type { ProviderCaller } from '../contract/declarations/caller.ts'
import { documentedSettings } from '../documented-settings.ts'
import { createHttp, type HttpHandler, type HttpParts } from '../http/http.ts'
import { describeRequest, tracedRequests } from '../monitoring/traces/parts.ts'
import { turnsInDatabase, turnsInMemory } from '../pipeline/rate-limit.ts'
import type { Context } from '../records/context.ts'
import { listeningConnection } from '../resources/sales/payment/connection/open.ts'
import { applyNotice, NOTICE_EVENTS } from '../resources/sales/payment/notice.ts'
import type { Callers } from './callers.ts'
import type { Core } from './core.ts'
import { isShared } from './foundation.ts'
import type { Endpoint } from './mcp.ts'

/** Every address of the service. */
export function httpOver(core: Core, callers: Callers, endpoint: Endpoint, isStopping: () => boolean): HttpHandler {
  const { settings, database, pipeline, services, publicUrl, observed, writes, log } = core
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
    log,
  })
  return tracedRequests(handler, observed.traces)
}

/** What happens elsewhere to payments, told by the providers that post notices. */
function noticesOf({ services, pipeline, database }: Core): HttpParts['notices'] {
  return {
    providers: services.payments.all,
    connectors: services.payments.connectors.map(({ name }) => name),
    connection: ({ provider, accountId, id }) =>
      pipeline.applier.look(database, { kind: 'provider', accountId, provider }, (context) =>
        listeningConnection(context, provider, id),
      ),
    onNotice(notice, provider) {
      const caller: ProviderCaller = { kind: 'provider', accountId: notice.accountId, provider }
      const apply = (context: Context) => applyNotice(context, notice, provider)
      return pipeline.applier.part(database, caller, NOTICE_EVENTS, apply, { inTurn: true })
    },
  }
}
