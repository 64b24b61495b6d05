import { type Context, type Env, Hono } from 'hono'
import { FORM_REFUSALS } from '../forms/refusals.ts'
import { Gate } from '../parts/gate.ts'
import { PostLimit } from '../parts/guard.ts'
import type { PageParts, PageRequest } from '../parts/parts.ts'
import { methodAnswer } from '../parts/refusals.ts'
import { ConnectPage, connectorOf } from './connect.ts'
import { SimulatedPages, visitorOf } from './simulated.ts'

/** The pages of social accounts: where a person allows access, and what is shown in place of a simulated platform. */
export function socialPages<E extends Env>(
  parts: PageParts,
  incomingOf: (context: Context<E>) => PageRequest,
): Hono<E> {
  const app = new Hono<E>()
  const gate = new Gate(parts, {
    posts: new PostLimit('social accounts', parts, { ofClient: parts.postsPerMinute }),
    refusals: FORM_REFUSALS,
  })
  const [connect, simulated] = [new ConnectPage(parts), new SimulatedPages(parts)]
  const visit = (context: Context<E>) => ({
    path: context.req.path,
    key: context.req.param('key')!,
    incoming: incomingOf(context),
  })

  app.get('/social/connect/:key', (context) => gate.get(visit(context), connectorOf, connect.get))
  app.post('/social/connect/:key', (context) => gate.post(visit(context), connectorOf, connect.post))
  app.get('/social/sandbox/accounts/:key', (context) => gate.get(visit(context), visitorOf.profile, simulated.profile))
  app.get('/social/sandbox/posts/:key', (context) => gate.get(visit(context), visitorOf.post, simulated.post))
  app.all('/social/*', (context) => methodAnswer(context.req.method))
  return app
}
