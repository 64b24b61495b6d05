import type { Hono, Context as HonoContext } from 'hono'
import { cors } from 'hono/cors'
import type { Authenticator } from '../access/authenticate.ts'
import { answerWellKnown } from '../mcp/endpoint/well-known.ts'
import type { Mcp } from '../mcp/mcp.ts'
import { blankRecord } from '../monitoring/records.ts'
import type { Environment } from './read-only.ts'
import { noteCaller } from './request-record.ts'

interface McpAddress {
  path: '/mcp' | '/connect'
  mcp: Mcp
  authenticator: Authenticator
  addressOf(context: HonoContext<Environment>): string
}

export function addMcp(app: Hono<Environment>, { path, mcp, authenticator, addressOf }: McpAddress): void {
  app.options(path, async (context, next) => {
    await next()
    context.header('Allow', 'POST')
  })
  app.use(
    path,
    cors({
      origin: (origin) => (mcp.allowsOrigin(origin) ? origin : null),
      allowMethods: ['POST'],
      exposeHeaders: [
        'WWW-Authenticate',
        'Retry-After',
        'RateLimit',
        'RateLimit-Policy',
        'Request-Id',
        'Mcp-Session-Id',
      ],
    }),
  )
  app.all(path, async (context) => {
    const record = context.env.record ?? blankRecord(context.req.method)
    const response = await mcp.fetch({
      request: context.req.raw,
      clientAddress: addressOf(context),
      requestId: context.get('requestId'),
      record,
      async authenticate(header, address) {
        const caller = await authenticator.authenticate(header, address)
        noteCaller(record, caller)
        return caller
      },
    })
    response.headers.set('Cache-Control', 'no-store')
    return response
  })
}

/** Adds the 404 responses to requests for OAuth metadata of `/mcp`, which has none. */
export function addWellKnown(app: Hono<Environment>): void {
  app.get('/.well-known/*', (context) => answerWellKnown(context.req.raw) ?? context.notFound())
}
