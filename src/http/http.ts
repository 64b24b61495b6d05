import type { HttpBindings } from '@hono/node-server'
import { Hono, type Context as HonoContext } from 'hono'
import { cors } from 'hono/cors'
import type { Authenticator } from '../access/authenticate.ts'
import { ApiError, errorDocsUrl } from '../contract/errors.ts'
import type { Database } from '../database/database.ts'
import { answerWellKnown } from '../mcp/endpoint/well-known.ts'
import type { Mcp } from '../mcp/mcp.ts'
import { errorPage, errorsPage, homePage } from '../pages/pages.ts'
import type { Pipeline } from '../pipeline/run.ts'
import type { Tables } from '../resources/tables.ts'
import { type ApiParts, answerOperation } from './api.ts'
import { apiDocument } from './document.ts'

export type HttpHandler = (request: Request, environment?: Partial<HttpBindings>) => Response | Promise<Response>

export interface HttpParts {
  pipeline: Pipeline
  authenticator: Authenticator
  mcp: Mcp
  database: Database<Tables>
  publicUrl: string
  trustProxy: boolean
  log: ApiParts['log']
}

type Environment = { Bindings: Partial<HttpBindings> }

/** Every address of the service. */
export function createHttp(parts: HttpParts): HttpHandler {
  const { pipeline, mcp, database, publicUrl, trustProxy } = parts
  const app = new Hono<Environment>()
  const address = (context: HonoContext<Environment>) => clientAddress(context, trustProxy)
  const api = (context: HonoContext<Environment>) =>
    answerOperation(parts, { request: context.req.raw, address: address(context), header: headersOf(context) })
  const docsUrl = errorDocsUrl(publicUrl)
  const document = apiDocument(pipeline, `${publicUrl}/v1`)

  app.get('/healthz', (context) => context.json({ status: 'ok' }))
  app.get('/readyz', (context) =>
    database.ping().then(
      () => context.json({ status: 'ok' }),
      () => context.json({ status: 'unavailable' }, 503),
    ),
  )
  app.get(
    '/v1/openapi.json',
    () =>
      new Response(document, { headers: { 'Content-Type': 'application/json', 'Access-Control-Allow-Origin': '*' } }),
  )
  app.all('/v1/*', api)
  app.all('/v1', api)
  app.use(
    '/mcp',
    cors({
      origin: (origin) => (mcp.allowsOrigin(origin) ? origin : null),
      allowMethods: ['POST'],
      exposeHeaders: ['WWW-Authenticate', 'Retry-After', 'RateLimit', 'RateLimit-Policy'],
    }),
  )
  app.all('/mcp', (context) => mcp.fetch(context.req.raw, address(context)))
  app.get('/.well-known/*', (context) => answerWellKnown(context.req.raw) ?? context.notFound())
  app.get('/', (context) => context.html(homePage(publicUrl)))
  app.get('/docs/errors', (context) => context.html(errorsPage()))
  app.get('/docs/errors/:code', (context) => {
    const page = errorPage(context.req.param('code'))
    return page ? context.html(page) : context.notFound()
  })
  app.notFound((context) => {
    const error = new ApiError('resource_missing', `There is nothing at ${context.req.path}. The API begins at /v1.`)
    return context.json(error.body(docsUrl), 404)
  })
  app.onError((error, context) => {
    parts.log.error({ err: error }, 'A request failed unexpectedly')
    return context.json(new ApiError('internal_error', 'Something went wrong on our side.').body(docsUrl), 500)
  })
  return (request, environment) => app.fetch(request, environment ?? {})
}

/** Node has parsed the headers already; making a `Headers` of them costs more than a query. */
function headersOf(context: HonoContext<Environment>): (name: string) => string | null {
  const parsed = context.env.incoming?.headers
  if (!parsed) return (name) => context.req.raw.headers.get(name)
  return (name) => (parsed[name] as string | undefined) ?? null
}

function clientAddress(context: HonoContext<Environment>, trustProxy: boolean): string {
  const forwarded = trustProxy ? context.req.header('x-forwarded-for')?.split(',').at(-1)?.trim() : undefined
  return forwarded ?? context.env.incoming?.socket?.remoteAddress ?? 'unknown'
}
