import { cartOf, type Item, isForSale, isInStock, isUsable, linesOf, redeemed, statusOf } from './carts.ts'
import { findOrMake } from './customers.ts'
import { DAY } from './moments.ts'
import { begin, take } from './payments.ts'
import type { Card, Cart, Checkout, Code, Country, Customer, Invoice, Line, State } from './state.ts'
import { refuse, refuseState } from './state.ts'

interface Opening {
  cart: Cart
  email: string | null
  customer: Customer | null
  invoice: Invoice | null
}

/** A checkout of a cart. */
export function openCart(
  state: State,
  {
    items,
    code,
    email,
    customer,
    country,
  }: { items: Item[]; code: Code | null; email: string | null; customer: Customer | null; country: Country },
): void {
  const lines = linesOf(items, code && statusOf(state, code) !== 'active' ? ['discount_code'] : [])
  if (code && !isUsable(state, code, lines)) refuse('discount_code')
  open(state, {
    cart: cartOf(lines, code, state.rates[country] ?? null),
    email: customer?.email ?? email,
    customer,
    invoice: null,
  })
}

export function open(state: State, opening: Opening): void {
  const own = state.checkouts.filter(({ name }) => name.startsWith('checkout'))
  const checkout = store(state, {
    ...opening,
    name: `checkout ${own.length + 1}`,
    subscription: null,
    expires: state.now + DAY,
  })
  completeIfFree(state, checkout)
}

/** Stores an open checkout. */
export function store(state: State, values: Opening & Pick<Checkout, 'name' | 'subscription' | 'expires'>): Checkout {
  const checkout: Checkout = { ...values, status: 'open', paying: null, fails: 0, order: null, completed: null }
  state.checkouts.push(checkout)
  state.events.push(`checkout.created ${checkout.name}`)
  return checkout
}

export interface CartChange {
  items?: Item[]
  email?: string
  /** Null takes it off. */
  code?: Code | null
}

export function change(state: State, checkout: Checkout, { items, email, code }: CartChange): void {
  if (checkout.status !== 'open' || checkout.paying !== null) refuseState()
  const isOwn = checkout.invoice === null && checkout.subscription === null
  if (items && !isOwn) refuse('line_items')
  if (code && !isOwn) refuse('discount_code')
  if (email && checkout.customer && email !== checkout.customer.email) refuse('email')
  const lines = items ? linesOf(items) : checkout.cart.lines
  if (code && !isUsable(state, code, lines)) refuse('discount_code')
  if (items || code !== undefined)
    checkout.cart = cartOf(lines, code === undefined ? keptCode(state, checkout, lines) : code, checkout.cart.rate)
  if (email) checkout.email = email
  completeIfFree(state, checkout)
}

/** The code of a checkout, while these lines can still have it. */
function keptCode(state: State, { cart: { code } }: Checkout, lines: readonly Line[]) {
  return code && isUsable(state, code, lines) ? code : null
}

/** Under the test provider, whatever costs nothing today needs no card. */
function completeIfFree(state: State, checkout: Checkout): void {
  const { cart, email } = checkout
  if (cart.total > 0 || email === null || cart.lines.some(({ unit }) => unit === null)) return
  priceAgain(state, checkout)
  if (checkout.cart.total === 0) payNow(state, checkout, 'good')
}

/** The buyer pays what the page has just shown: what the cart costs now, without a code that is gone. */
export function pay(state: State, checkout: Checkout, card: Card, email: string | null): void {
  if (checkout.status !== 'open' || checkout.paying !== null) refuseState()
  if (email !== null) checkout.email = email
  priceAgain(state, checkout)
  payNow(state, checkout, card)
}

function payNow(state: State, checkout: Checkout, card: Card): void {
  if (checkout.cart.lines.some(({ unit }) => unit === null)) refuse('amount')
  if (checkout.email === null) refuse('email')
  const customer = checkout.customer ?? findOrMake(state, checkout.email)
  reserve(state, checkout)
  const { cart, invoice, subscription } = checkout
  const payment = begin(state, { customer, cart, checkout, invoice, subscription })
  checkout.paying = payment
  if (invoice !== null) invoice.paying = payment
  if (subscription !== null) Object.assign(subscription, { paying: payment, due: null })
  take(state, payment, card)
}

/** Lines that are gone are refused, and a code that is gone is taken off. What an invoice or a subscription bills is sold. */
function priceAgain(state: State, checkout: Checkout): void {
  if (checkout.invoice !== null || checkout.subscription !== null) return
  const { lines, code, rate } = checkout.cart
  const gone = lines.flatMap(({ price, quantity }, place) =>
    isForSale(price, quantity) ? [] : [`line_items.${place}.price_variant`],
  )
  if (gone.length > 0) refuse(...gone)
  if (code && !isUsable(state, code, lines)) checkout.cart = cartOf(lines, null, rate)
}

/** Holds what others could take meanwhile. */
function reserve(state: State, { cart: { lines, code }, invoice, subscription }: Checkout): void {
  if (invoice !== null && (invoice.paying !== null || invoice.status === 'paid' || invoice.status === 'void'))
    refuseState()
  if (subscription !== null) {
    if (subscription.unpaidSince === null || subscription.status === 'canceled' || subscription.paying !== null)
      refuseState()
    return
  }
  for (const [place, { price, quantity }] of lines.entries()) {
    if (!isInStock(price, quantity)) refuse(`line_items.${place}.price_variant`)
    if (price.stock !== null) price.stock -= quantity
  }
  if (code === null) return
  if (code.most !== null && redeemed(state, code) + code.held >= code.most) refuse('discount_code')
  code.held += 1
}
