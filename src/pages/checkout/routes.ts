import { type Context, type Env, Hono } from 'hono'
import { STYLE_ADDRESS, styleAnswer } from './answers.ts'
import { CheckoutPage } from './checkout.ts'
import { PostLimit } from './guard.ts'
import type { CheckoutPageParts, PageRequest } from './parts.ts'
import { methodAnswer } from './refusals.ts'

/** The pages on which buyers pay. `incomingOf` tells whose request it is. */
export function checkoutPages<E extends Env>(
  parts: CheckoutPageParts,
  incomingOf: (context: Context<E>) => PageRequest,
): Hono<E> {
  const app = new Hono<E>()
  const checkout = new CheckoutPage(parts, new PostLimit(parts.postsPerMinute))
  app.get(STYLE_ADDRESS, styleAnswer)
  app.get('/checkout/:secret', (context) => checkout.get(context.req.param('secret'), incomingOf(context)))
  app.post('/checkout/:secret', (context) => checkout.post(context.req.param('secret'), incomingOf(context)))
  app.all('/checkout/:secret', (context) => methodAnswer(context.req.method))
  return app
}
