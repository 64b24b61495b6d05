import type { HttpBindings } from '@hono/node-server'
import type { Hono, Context as HonoContext, Next } from 'hono'
import { routePath } from 'hono/route'
import { type ApiError, methodNotAllowed } from '../contract/declarations/errors.ts'
import type { RequestRecord } from '../monitoring/records.ts'
import type { OwnDomain } from '../pages/storefront/own_domain.ts'
import { newRequestId } from '../pipeline/run.ts'

/** What handlers share; `incoming` is absent for requests that come from memory. */
export interface Environment {
  Bindings: Partial<HttpBindings> & { record?: RequestRecord; ownDomain?: OwnDomain; requestId?: string }
  Variables: { requestId: string }
}

export type Handler = (context: HonoContext<Environment>) => Response | Promise<Response>

/** Gives an answer the id of its request. Operations of the API do so themselves, which is faster. */
export async function withRequestId(context: HonoContext<Environment>, next: Next): Promise<void> {
  const requestId = newRequestId()
  const { record } = context.env
  context.set('requestId', requestId)
  if (record) record.requestId = requestId
  await next()
  noteRoute(context)
  context.res.headers.set('Request-Id', requestId)
}

/** Keeps the request id that the outer app has given, in an app that answers a part of its addresses. */
export async function withOuterId(context: HonoContext<Environment>, next: Next): Promise<void> {
  context.set('requestId', context.env.requestId ?? newRequestId())
  await next()
  noteRoute(context)
}

/** The pattern of the route that answered; the path itself may hold a secret. */
function noteRoute(context: HonoContext<Environment>): void {
  const { record } = context.env
  if (record?.operation === '') record.operation = routePath(context)
}

/** Adds addresses that can only be read: GET and HEAD are handled, OPTIONS names the methods, others are refused. */
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
