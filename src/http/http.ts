import { createHash, timingSafeEqual } from 'node:crypto'
import { type Env, Hono, type Context as HonoContext } from 'hono'
import { getPath } from 'hono/utils/url'
import type { Connect } from '../access/oauth/connect.ts'
import type { Caller } from '../contract/declarations/caller.ts'
import { ApiError, errorDocsUrl, internalError, missingResource } from '../contract/declarations/errors.ts'
import { openapi } from '../contract/documents/openapi.ts'
import { bearerToken } from '../contract/values/token-format.ts'
import type { Mcp } from '../mcp/mcp.ts'
import { accessPages } from '../pages/access/routes.ts'
import { cardPages } from '../pages/checkout/other-card-routes.ts'
import { checkoutPages } from '../pages/checkout/routes.ts'
import { connectPages } from '../pages/connect/routes.ts'
import type { DashboardFeature } from '../pages/dashboard/kit/visit.ts'
import type { DocumentedSettings } from '../pages/documentation/routes.ts'
import { exportPages } from '../pages/exports/routes.ts'
import { type FormPageParts, formPages } from '../pages/forms/routes.ts'
import type { HostPages, HostParts } from '../pages/hosts/hosts.ts'
import { hostAddresses } from '../pages/hosts/routes.ts'
import { hostServer } from '../pages/hosts/serve.ts'
import { ingestAddresses } from '../pages/ingest/routes.ts'
import { failureAnswer, noPageAnswer } from '../pages/parts/answers.ts'
import { etagOf, namesTag } from '../pages/parts/asset.ts'
import { ICON_ADDRESSES, iconAnswer } from '../pages/parts/document.ts'
import type { PersonPageParts, RequestOf } from '../pages/parts/page-parts.ts'
import { type SignInPageParts, signInPages } from '../pages/sign-in/routes.ts'
import { movedShops, type OwnDomain, shopServer } from '../pages/storefront/own-domain.ts'
import { storefrontPages } from '../pages/storefront/routes.ts'
import { letterPages } from '../pages/unsubscribe/routes.ts'
import { databaseRefusal } from '../pipeline/database-refusal.ts'
import { newRequestId, type Pipeline } from '../pipeline/run.ts'
import { only } from '../runtime/errors.ts'
import { lazy } from '../runtime/lazy.ts'
import { VERSION } from '../runtime/version.ts'
import { type ApiParts, answerOperation } from './api.ts'
import type { PageAnswers } from './documented-pages.ts'
import { addFiles } from './files.ts'
import { allowLong } from './long-requests.ts'
import { addMcp, addWellKnown } from './mcp.ts'
import { type NoticeParts, type NoticeSource, takeNotice } from './payment-notices.ts'
import { type Environment, type Handler, readOnly, withOuterId, withRequestId } from './read-only.ts'
import { type ReadinessParts, readiness } from './readiness.ts'
import { noteCaller, type OnAnswered, recorded } from './request-record.ts'

interface MetricsParts {
  token: string
  render(): Promise<{ type: string; text: string }>
}

export type HttpHandler = (request: Request, bindings?: Environment['Bindings']) => Response | Promise<Response>

export interface HttpParts
  extends ApiParts,
    ReadinessParts,
    Omit<FormPageParts & SignInPageParts, keyof ApiParts | keyof ReadinessParts> {
  notices: NoticeParts
  connect: Connect
  mcp: Mcp
  publicUrl: string
  documented: DocumentedSettings
  trustProxy: boolean
  /** Host names of the service in addition to that of `publicUrl`. No site or shop can have these names. */
  ownHosts: readonly string[]
  onAnswered: OnAnswered
  features: readonly HttpFeature[]
  metrics: MetricsParts | null
}

/** The pages of a feature. */
export interface HttpFeature {
  /** Returns the routes of pages outside of the dashboard. */
  routes?<E extends Env>(parts: PersonPageParts, incomingOf: RequestOf<E>): Hono<E>
  /** Returns pages on hosts other than the service's own, or null if there are none with these settings. */
  hosts?(parts: Pick<HostParts, 'services' | 'database' | 'publicUrl'>): HostPages | null
  /** Loads the feature's pages in the dashboard. Called on the first request for a page of the dashboard or documentation. */
  dashboard?(): Promise<DashboardFeature>
}

/** Creates the HTTP handler for all routes of the service. */
export function createHttp(parts: HttpParts): HttpHandler {
  const app = new Hono<Environment>({
    // A request to a shop's own domain uses the path that the shop has on the service's domain.
    getPath: (request, options) => options?.env?.ownDomain?.path ?? getPath(request),
  })
  const refusal = refusals(errorDocsUrl(parts.publicUrl))
  const hostParts = { ...parts, hostPages: parts.features.flatMap(({ hosts }) => hosts?.(parts) ?? []) }
  const get = readOnly(app, refusal)

  app.use('/v1/openapi.json', withRequestId)
  get(
    '/v1/openapi.json',
    documentHandler(() => apiDocument(parts.pipeline, `${parts.publicUrl}/v1`)),
  )
  addApi(app, parts)
  app.use(withRequestId)
  get('/healthz', (context) => context.json({ status: 'ok', version: VERSION }, 200, UNCACHED))
  get('/readyz', readiness(parts))
  if (parts.metrics) get('/metrics', metricsHandler(parts.metrics, refusal))
  const addressOf = (context: HonoContext<Environment>) => clientAddress(context, parts.trustProxy)
  addMcp(app, { ...parts, path: '/mcp', addressOf })
  addMcp(app, { ...parts, path: '/connect', authenticator: parts.connect.authenticator, addressOf })
  addFiles(app, parts, refusal, headersOf)
  addNotices(app, { ...parts, ...parts.notices }, refusal)
  const incoming = (context: HonoContext<Environment>) => incomingOf(context, parts.trustProxy)
  app.route('/', connectPages<Environment>(parts, incoming))
  addWellKnown(app)
  app.route('/', checkoutPages<Environment>(parts, incoming))
  app.route('/', cardPages<Environment>(parts, incoming))
  app.route('/', formPages<Environment>(parts, incoming))
  app.route('/', letterPages<Environment>(parts, incoming))
  app.route('/', ingestAddresses<Environment>(parts, { incomingOf: incoming, refusal }))
  app.route('/', exportPages<Environment>(parts))
  app.route('/', signInPages<Environment>(parts, incoming))
  for (const { routes } of parts.features) if (routes) app.route('/', routes<Environment>(parts, incoming))
  app.route('/', hostAddresses<Environment>(hostParts, incoming))
  app.use(
    '/s/*',
    movedShops<Environment>(parts, ({ env }) => env.ownDomain !== undefined),
  )
  app.route('/', accessPages<Environment>(parts, incoming))
  app.route('/', storefrontPages<Environment>(parts))
  for (const address of ICON_ADDRESSES) app.get(address, iconAnswer)
  addLatePages(app, parts, { incoming, refusal })
  addFailures(app, parts, refusal)
  return byHost(hostParts, app)
}

const LATE_PAGES = ['/', '/dashboard/*', '/docs/*', '/docs.md', '/llms.txt', '/llms-full.txt']

/** Adds pages whose code is loaded with the first request, because many servers never serve these pages. */
function addLatePages(app: Hono<Environment>, parts: HttpParts, { incoming, refusal }: PageAnswers): void {
  const load = lazy(async () => {
    const { addDocumentedPages } = await import('./documented-pages.ts')
    const pages = new Hono<Environment>()
    pages.use(withOuterId)
    const features = await Promise.all(parts.features.flatMap(({ dashboard }) => dashboard?.() ?? []))
    addDocumentedPages(pages, { ...parts, features }, { incoming, refusal })
    addFailures(pages, parts, refusal)
    return pages
  })
  for (const path of LATE_PAGES)
    app.all(path, async (context) => {
      const pages = await load()
      return pages.fetch(context.req.raw, { ...context.env, requestId: context.get('requestId') })
    })
}

/** Adds the responses to requests for unknown paths and to unexpected errors. */
function addFailures(app: Hono<Environment>, parts: HttpParts, refusal: Refusal): void {
  app.notFound((context) =>
    isForPeople(context)
      ? noPageAnswer(parts.publicUrl)
      : refusal(new ApiError('resource_missing', `Not found: ${context.req.path}. API paths start with /v1.`)),
  )
  app.onError((error, context) => {
    const requestId = context.get('requestId') ?? newRequestId()
    parts.log.error({ err: error, requestId }, 'A request failed unexpectedly')
    if (isForPeople(context)) return failureAnswer(error, requestId)
    return refusal(databaseRefusal(error) ?? internalError(requestId))
  })
}

/** Dispatches requests by host name: to features and shops with their own hosts, or else to the app. */
function byHost(parts: HttpParts & HostParts, app: Hono<Environment>): HttpHandler {
  const hosts = hostServer(parts)
  const shopAt = shopServer(parts)
  const answer = recorded((request, environment) => {
    const pathAt = (ownDomain: OwnDomain) => app.fetch(request, { ...environment, ownDomain })
    const ofHost = hosts(request, (name) => request.headers.get(name), {
      record: environment.record,
      shopAt: (domain) => shopAt(request, domain, pathAt),
    })
    return ofHost?.then((served) => served ?? app.fetch(request, environment)) ?? app.fetch(request, environment)
  }, parts.onAnswered)
  return (request, bindings) => answer(request, bindings ?? {})
}

/** Returns whether a request comes from a browser that wants a page, and not from a program. */
function isForPeople({ req }: HonoContext<Environment>): boolean {
  return (req.method === 'GET' || req.method === 'HEAD') && (req.header('accept') ?? '').includes('text/html')
}

function addApi(app: Hono<Environment>, parts: HttpParts): void {
  const api: Handler = (context) =>
    answerOperation(parts, {
      request: context.req.raw,
      address: clientAddress(context, parts.trustProxy),
      header: headersOf(context),
      record: context.env.record,
    })
  app.all('/v1/*', api)
  app.all('/v1', api)
}

/** Adds the routes to which payment providers send their webhooks. */
function addNotices(app: Hono<Environment>, parts: HttpParts & NoticeParts, refusal: Refusal): void {
  const taken = (context: HonoContext<Environment>, provider: NoticeSource, ownAccount?: string) =>
    takeNotice(provider, parts, incomingOf(context, parts.trustProxy), ownAccount)
      .then(() => context.json({ received: true }, 200, UNCACHED))
      .catch(only(ApiError, refusal))
  for (const provider of parts.providers)
    if (provider.noticesPath !== null) app.post(provider.noticesPath, (context) => taken(context, provider))
  for (const provider of parts.connectors)
    app.post(`/payments/${provider}/notices/:account/:connection`, async (context) => {
      const { account: accountId, connection: id } = context.req.param()
      const opened = await parts.connection({ provider, accountId, id })
      return opened ? taken(context, opened, accountId) : refusal(missingResource('payment_connection'))
    })
}

const UNCACHED = { 'Cache-Control': 'no-store' }

type Refusal = (error: ApiError) => Response

/** Returns a function that turns an ApiError into a response. */
function refusals(docsUrl: string): Refusal {
  return (error) =>
    Response.json(error.body(docsUrl), { status: error.status, headers: { ...UNCACHED, ...error.headers } })
}

/** Returns a request in the form that page handlers use. */
function incomingOf(context: HonoContext<Environment>, trustProxy: boolean) {
  return {
    request: context.req.raw,
    address: clientAddress(context, trustProxy),
    header: headersOf(context),
    requestId: context.get('requestId'),
    noteCaller: (caller: Caller) => noteCaller(context.env.record, caller),
    ownDomain: context.env.ownDomain?.origin ?? null,
    allowLong: (ms: number) => allowLong(context.env.incoming, ms),
  }
}

/** Returns a function that reads the headers as Node.js has parsed them. A `Headers` object would cost more time than a query. */
function headersOf(context: HonoContext<Environment>): (name: string) => string | null {
  const parsed = context.env.incoming?.headers
  if (!parsed) return (name) => context.req.raw.headers.get(name)
  return (name) => (parsed[name] as string | undefined) ?? null
}

function clientAddress(context: HonoContext<Environment>, trustProxy: boolean): string {
  const forwarded = trustProxy ? context.req.header('x-forwarded-for')?.split(',').at(-1)?.trim() : undefined
  return forwarded ?? context.env.incoming?.socket?.remoteAddress ?? 'unknown'
}

/** Serves the metrics of this process. Requests without the token get a 401. */
function metricsHandler({ token, render }: MetricsParts, refusal: (error: ApiError) => Response): Handler {
  const expected = digest(token)
  return async (context) => {
    const given = bearerToken(context.req.header('authorization')) ?? ''
    if (!timingSafeEqual(digest(given), expected)) return refusal(unauthenticated())
    const { type, text } = await render()
    return new Response(text, { headers: { 'Content-Type': type, 'Cache-Control': 'no-store' } })
  }
}

/** Returns a digest. All digests have the same length, so tokens of different lengths can be compared in constant time. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

function unauthenticated(): ApiError {
  const message = 'Send the header Authorization: Bearer <METRICS_TOKEN>.'
  return new ApiError('authentication_required', message, { headers: { 'WWW-Authenticate': 'Bearer' } })
}

function apiDocument(pipeline: Pipeline, serverUrl: string): string {
  const { findNoun } = pipeline.presenter
  const nouns = pipeline.nouns
  return JSON.stringify(openapi(pipeline.operations, nouns, findNoun, serverUrl))
}

/** Serves the OpenAPI document. A client that already has it gets a 304 (RFC 9110, section 13.1.2). */
function documentHandler(make: () => string): Handler {
  // The document is created with the first request, because it takes a tenth of a second and a megabyte, and most services never need it.
  const made = lazy(() => tagged(make()))
  return (context) => {
    const { document, etag } = made()
    const caching = { ETag: etag, 'Cache-Control': 'no-cache', 'Access-Control-Allow-Origin': '*' }
    if (namesTag(context.req.header('if-none-match'), etag))
      return new Response(null, { status: 304, headers: caching })
    return new Response(document, { headers: { ...caching, 'Content-Type': 'application/json' } })
  }
}

function tagged(document: string): { document: string; etag: string } {
  return { document, etag: etagOf(document) }
}
