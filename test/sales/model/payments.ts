import { endOfAccess, isEverCharged } from './carts.ts'
import { close } from './closing.ts'
import type { Card, Cart, Checkout, Customer, Invoice, Order, Payment, State, Subscription } from './state.ts'
import * as subscriptions from './subscriptions.ts'

/** Minutes for which a buyer who has to do something more holds stock, code and invoice. */
const HOLD = 30
const MOST_FAILS = 10

export interface Purchase {
  customer: Customer
  cart: Cart
  checkout: Checkout | null
  invoice: Invoice | null
  subscription: Subscription | null
}

/** The pending order, and the payment that is to pay it. */
export function begin(state: State, { customer, cart, checkout, invoice, subscription }: Purchase): Payment {
  const origin = checkout ?? subscription!
  const before = state.orders.filter((one) => (one.checkout ?? one.subscription) === origin).length
  const order: Order = {
    ...{
      name: `order ${before + 1} of ${origin.name}`,
      customer,
      status: 'pending',
      beforeDispute: null,
      isDecided: false,
      lost: null,
    },
    ...{
      amount: cart.total,
      subtotal: cart.subtotal,
      discount: cart.discount,
      tax: cart.tax,
      currency: cart.lines[0]!.currency,
    },
    ...{ code: cart.code, checkout, subscription, invoice, isFirst: subscription === null },
    ...{ made: state.now, paid: null, refunded: 0, taxRefunded: 0, refundable: false, returned: false },
    lines: cart.lines.map(({ price, quantity, unit, fee, amount, discount, tax }) => {
      return { price, quantity, unit: unit!, fee, amount, discount, tax, refunded: 0, taxRefunded: 0 }
    }),
  }
  const payment: Payment = { order, checkout, subscription, asked: false, until: null, state: 'waiting' }
  state.orders.push(order)
  state.payments.push(payment)
  state.events.push(`order.created ${order.name}`)
  return payment
}

/** What the provider answers to a card; a buyer has to do something more with one that needs a second step. */
export function take(state: State, payment: Payment, card: Card): void {
  const isFree = payment.checkout !== null && payment.order.amount === 0 && !isEverCharged(payment.checkout.cart)
  if (isFree) succeed(state, payment, 'good')
  else if (card === 'declined') fail(state, payment, { counts: true })
  else if (card === 'second step') Object.assign(payment, { asked: true, until: state.now + HOLD })
  else succeed(state, payment, card)
}

/** The buyer's answer at the bank; one that comes too late and is a yes sends the money back. */
export function answer(state: State, payment: Payment, approved: boolean): void {
  if (payment.state === 'waiting') {
    if (approved) succeed(state, payment, 'good')
    else fail(state, payment, { counts: true })
  } else if (approved) {
    payment.state = 'returned'
    payment.order.returned = payment.order.amount > 0
  }
}

export function succeed(state: State, payment: Payment, card: Card): void {
  const { order, checkout, subscription } = payment
  Object.assign(payment, { state: 'succeeded', until: null })
  Object.assign(order, { status: 'succeeded', paid: state.now, refundable: card !== 'no refund' })
  state.events.push(`order.paid ${order.name}`)
  if (subscription !== null) subscriptions.paid(state, subscription, payment, checkout === null ? null : card)
  else deliver(state, order, card)
  if (checkout !== null) complete(state, checkout, order)
}

/** What a paid cart gives its buyer. */
function deliver(state: State, order: Order, card: Card): void {
  const { lines, code } = order.checkout!.cart
  const [line] = lines
  if (line!.terms !== null) order.subscription = subscriptions.start(state, order, line!, card)
  for (const { price } of lines) price.sold = true
  if (code !== null) code.held -= 1
  for (const { price } of lines)
    state.grants.push({
      ...{ customer: order.customer, price, order, subscription: order.subscription },
      ...{ start: state.now, end: endOfAccess(price, state.now) },
    })
  const { invoice } = order
  if (invoice === null) return
  Object.assign(invoice, { status: 'paid', paid: state.now, order, paying: null })
  state.events.push(`invoice.paid ${invoice.name}`)
}

function complete(state: State, checkout: Checkout, order: Order): void {
  const { customer, subscription } = order
  Object.assign(checkout, { status: 'complete', completed: state.now, paying: null, order, customer, subscription })
  state.events.push(`checkout.completed ${checkout.name}`)
}

/** `counts`: as one of the tries that a checkout allows; a payment that was given up does not. */
export function fail(state: State, payment: Payment, { counts }: { counts: boolean }): void {
  const { order, checkout, subscription } = payment
  Object.assign(payment, { state: 'failed', until: null })
  order.status = 'failed'
  state.events.push(`order.failed ${order.name}`)
  if (subscription !== null) subscriptions.failed(state, subscription, payment)
  else giveBack(order)
  if (checkout === null) return
  checkout.paying = null
  if (counts) checkout.fails += 1
  if (checkout.status === 'open' && (checkout.expires <= state.now || checkout.fails >= MOST_FAILS))
    close(state, checkout, 'expired')
}

/** What the payment had taken from others. */
function giveBack({ lines, code, invoice }: Order): void {
  for (const { price, quantity } of lines) if (price.stock !== null) price.stock += quantity
  if (code !== null) code.held -= 1
  if (invoice !== null) invoice.paying = null
}
