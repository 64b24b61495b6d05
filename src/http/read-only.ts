import type { HttpBindings } from '@hono/node-server'
import type { Hono, Context as HonoContext, Next } from 'hono'
import { routePath } from 'hono/route'
import { type ApiError, methodNotAllowed } from '../contract/declarations/errors.ts'
import type { RequestRecord } from '../monitoring/records.ts'
import type { OwnDomain } from '../pages/storefront/own-domain.ts'
import { newRequestId } from '../pipeline/run.ts'

/** The context of request handlers. `incoming` is absent for requests that are made in memory. */
export interface Environment {
  Bindings: Partial<HttpBindings> & { record?: RequestRecord; ownDomain?: OwnDomain; requestId?: string }
  Variables: { requestId: string }
}

export type Handler = (context: HonoContext<Environment>) => Response | Promise<Response>

/** Sets a request id and adds it to the response. API operations do this themselves, which is faster. */
export async function withRequestId(context: HonoContext<Environment>, next: Next): Promise<void> {
  const requestId = newRequestId()
  const { record } = context.env
  context.set('requestId', requestId)
  if (record) record.requestId = requestId
  await next()
  noteRoute(context)
  context.res.headers.set('Request-Id', requestId)
}

/** Keeps the request id of the outer app when a nested app handles the request. */
export async function withOuterId(context: HonoContext<Environment>, next: Next): Promise<void> {
  context.set('requestId', context.env.requestId ?? newRequestId())
  await next()
  noteRoute(context)
}

/** Records the pattern of the route instead of the path, which may contain a secret. */
function noteRoute(context: HonoContext<Environment>): void {
  const { record } = context.env
  if (record?.operation === '') record.operation = routePath(context)
}

/** Adds a read-only route: GET and HEAD are handled, OPTIONS lists the methods, and other methods are refused. */
export function readOnly(app: Hono<Environment>, refusal: (error: ApiError) => Response) {
  return (path: string, handle: Handler): void => {
    app.get(path, handle)
    app.all(path, (context) => {
      const { method } = context.req
      const refused = methodNotAllowed(method, context.req.path, ['GET'])
      return method === 'OPTIONS' ? new Response(null, { status: 204, headers: refused.headers }) : refusal(refused)
    })
  }
}
