import { type Context, type Env, Hono } from 'hono'
import { Gate } from '../parts/gate.ts'
import { type PageParts, type PageRequest, PostLimit } from '../parts/parts.ts'
import { methodAnswer } from '../parts/refusals.ts'
import { STYLE_ADDRESS, styleAnswer } from '../parts/stylesheet.ts'
import { arrivedBy, CheckoutPage } from './checkout.ts'
import { invoiceEntrance, linkEntrance, priceEntrance } from './entrance.ts'
import { EntrancePage } from './entrance-page.ts'
import { ProgramDoor } from './program.ts'
import { receiptFile } from './receipt.ts'
import { CHECKOUT_REFUSALS } from './refusals.ts'
import { TOTAL_SCRIPT } from './script.ts'
import { CHECKOUT_STYLE } from './stylesheet.ts'

/** A page about what an address leads to. */
interface Page<Found> {
  find(parts: PageParts, key: string): Promise<Found | null>
  get(found: Found, incoming: PageRequest): Promise<Response>
  post(found: Found, incoming: PageRequest): Promise<Response>
}

/** The pages on which buyers pay. `incomingOf` says whose request it is. */
export function checkoutPages<E extends Env>(
  parts: PageParts,
  incomingOf: (context: Context<E>) => PageRequest,
): Hono<E> {
  const app = new Hono<E>()
  const gate = new Gate(parts, {
    posts: new PostLimit('checkouts', parts, { ofClient: parts.postsPerMinute }),
    refusals: CHECKOUT_REFUSALS,
  })
  const programs = new ProgramDoor(parts)
  const checkouts = new CheckoutPage(parts, programs)
  const entrances = new EntrancePage(parts, checkouts, programs)

  const add = <Found>(path: string, { find, get, post }: Page<Found>) => {
    const visit = (context: Context<E>) => ({
      path: context.req.path,
      key: context.req.param('key')!,
      incoming: incomingOf(context),
    })
    app.get(path, (context) => gate.get(visit(context), find, get))
    app.post(path, (context) => gate.post(visit(context), find, post))
    app.all(path, (context) => methodAnswer(context.req.method))
  }

  app.get(STYLE_ADDRESS, styleAnswer)
  app.get(TOTAL_SCRIPT.address, TOTAL_SCRIPT.answer)
  app.get(CHECKOUT_STYLE.address, CHECKOUT_STYLE.answer)
  add('/checkout/:key', { find: arrivedBy, get: checkouts.get, post: checkouts.post })
  app.get('/checkout/:key/receipt.pdf', (context) => {
    const visit = { path: context.req.path, key: context.req.param('key'), incoming: incomingOf(context) }
    return gate.get(visit, arrivedBy, ({ caller }) => receiptFile(parts, caller))
  })
  for (const [prefix, find] of Object.entries({
    '/l/': linkEntrance,
    '/buy/': priceEntrance,
    '/pay/': invoiceEntrance,
  }))
    add(`${prefix}:key`, { find, get: entrances.get, post: entrances.post })
  return app
}
