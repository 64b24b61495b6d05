import { type Env, Hono } from 'hono'
import type { BuyerCaller } from '../../contract/declarations/caller.ts'
import { missingResource } from '../../contract/declarations/errors.ts'
import { findRow, requireRow } from '../../records/records.ts'
import { Checkout } from '../../resources/sales/checkout/checkout.ts'
import { Order } from '../../resources/sales/order/order.ts'
import { hasReceipt, receiptOf } from '../../resources/sales/order/receipt.ts'
import { refusalsIn, slowDown } from '../parts/answers.ts'
import { STYLE_ADDRESS, styleAnswer } from '../parts/asset.ts'
import { PostLimit } from '../parts/form.ts'
import { formAdder, Gate, visitsBy } from '../parts/gate.ts'
import type { PageParts, RequestOf } from '../parts/page-parts.ts'
import { paperAnswer } from '../pdf/draw.ts'
import { CheckoutPage, visitorBySecret } from './checkout.ts'
import { EntrancePage, invoiceEntrance, linkEntrance, priceEntrance } from './entrance.ts'
import { CHECKOUT_STYLE, TOTAL_SCRIPT } from './stylesheet.ts'

/** The limit on receipts for one checkout, because drawing a PDF takes a few hundredths of a second. */
const RECEIPTS_PER_CHECKOUT = { name: 'receipts of a checkout', perMinute: 10, burst: 10 }

/** The texts of error pages first say whether anything was charged. */
const CHECKOUT_REFUSALS = refusalsIn({
  foreign: 'it was not accepted, and nothing was charged. Open the checkout and try again.',
  tooMany: 'Too many attempts in a short time. The last attempt was not charged.',
  open: 'Open the checkout',
  openAgain: 'Check the checkout',
  undone: 'Nothing was charged.',
  busy: 'The shop is very busy',
  broken: (requestId) =>
    `Before you try again, check the checkout to see whether you have paid. If this happens again, give the shop this number: ${requestId}.`,
})

/** Routes of the pages where buyers pay. */
export function checkoutPages<E extends Env>(parts: PageParts, incomingOf: RequestOf<E>): Hono<E> {
  const app = new Hono<E>()
  const gate = new Gate(parts, {
    posts: new PostLimit('checkouts', parts, { ofClient: parts.postsPerMinute }),
    refusals: CHECKOUT_REFUSALS,
  })
  const page = new EntrancePage(parts)
  const visit = visitsBy(incomingOf)
  const add = formAdder(app, visit)

  app.get(STYLE_ADDRESS, styleAnswer)
  app.get(TOTAL_SCRIPT.address, TOTAL_SCRIPT.answer)
  app.get(CHECKOUT_STYLE.address, CHECKOUT_STYLE.answer)
  add('/checkout/:key', { gate, find: visitorBySecret, page: new CheckoutPage(parts) })
  app.get('/checkout/:key/receipt.pdf', (context) => {
    return gate.get(visit(context), visitorBySecret, ({ caller }) => receiptFile(parts, caller))
  })
  add('/l/:key', { gate, find: linkEntrance, page })
  add('/buy/:key', { gate, find: priceEntrance, page })
  add('/pay/:key', { gate, find: invoiceEntrance, page })
  return app
}

/** Returns the receipt as a PDF. Throws `resource_missing` if there is no receipt. */
async function receiptFile(parts: PageParts, caller: BuyerCaller): Promise<Response> {
  const wait = await parts.takeTurn(caller.checkoutId, RECEIPTS_PER_CHECKOUT)
  if (wait > 0) return slowDown('This receipt was opened very often.', wait)
  const paper = await parts.pipeline.visits.look(caller, async (context) => {
    const { order: id, status } = await requireRow(context, Checkout, caller.checkoutId)
    const order = id === null || status !== 'complete' ? undefined : await findRow(context, Order, id)
    if (!order || !hasReceipt(order)) throw missingResource(Order.name)
    return receiptOf(context, order)
  })
  return paperAnswer(paper)
}
