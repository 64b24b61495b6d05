import { redeemed, statusOf } from './carts.ts'
import { figuresOf } from './customers.ts'
import { type Minutes, written } from './moments.ts'
import { canResume } from './renewals.ts'
import type { Checkout, Grant, Invoice, Order, State, Subscription } from './state.ts'

/** Everything that can be seen of a shop: by the kind of thing, and its name. */
export type Figures = Record<string, Record<string, unknown>>

export function figuresOfModel(state: State): Figures {
  return {
    stock: named(state.prices, ({ stock, archived, amount }) => ({ stock, archived, amount })),
    codes: named(state.codes, (code) => ({ times_redeemed: redeemed(state, code), status: statusOf(state, code) })),
    customers: Object.fromEntries(state.customers.map((one) => [one.email, figuresOf(state, one)])),
    checkouts: named(state.checkouts, checkoutFigures),
    orders: named(state.orders, orderFigures),
    refunds: Object.fromEntries(
      state.refunds.map(({ order, amount, tax, status }, place) => [place, [order.name, amount, tax, status]]),
    ),
    invoices: named(state.invoices, invoiceFigures),
    subscriptions: named(state.subscriptions, subscriptionFigures),
    access: { grants: state.grants.map(grantFigures).sort() },
  }
}

function named<One extends { name: string }>(all: One[], figures: (one: One) => unknown): Record<string, unknown> {
  return Object.fromEntries(all.map((one) => [one.name, figures(one)]))
}

const nameOf = (one: { name: string } | null) => one?.name ?? null
const when = (moment: Minutes | null) => (moment === null ? null : written(moment))

function checkoutFigures({ status, cart, email, customer, expires, completed, fails, ...one }: Checkout) {
  return {
    ...{ status, email, customer: customer?.email ?? null, failed_tries: fails, paying: one.paying !== null },
    ...{ order: nameOf(one.order), subscription: nameOf(one.subscription), invoice: nameOf(one.invoice) },
    ...{
      subtotal: cart.subtotal,
      amount_discount: cart.discount,
      amount_tax: cart.tax,
      total: cart.total,
      code: nameOf(cart.code),
    },
    ...{ expires_at: when(expires), completed_at: when(completed) },
    items: cart.lines.map(({ price, quantity, unit, fee, amount, discount, tax }) => [
      ...[price.name, quantity, unit, fee, amount, discount, tax],
    ]),
  }
}

function orderFigures(order: Order) {
  const { status, amount, subtotal, discount, tax, refunded, taxRefunded, currency, lines } = order
  return {
    ...{ status, amount, subtotal, amount_discount: discount, amount_refunded: refunded, currency },
    ...{ amount_tax: tax, amount_tax_refunded: taxRefunded },
    ...{ customer: order.customer.email, code: nameOf(order.code), checkout: nameOf(order.checkout) },
    ...{ subscription: nameOf(order.subscription), invoice: nameOf(order.invoice) },
    ...{ created_at: when(order.made), paid_at: when(order.paid), charges: chargesOf(order) },
    items: lines.map((line) => [
      ...[line.price.name, line.quantity, line.unit, line.fee, line.amount, line.discount, line.refunded, status],
      ...[line.tax, line.taxRefunded],
    ]),
  }
}

/** Status, amount and what went back, of every try at the money. */
function chargesOf({ status, amount, refunded, returned, beforeDispute }: Order): unknown[] {
  if (amount === 0 || status === 'pending') return []
  const shown = status === 'disputed' ? beforeDispute : status
  return [[shown, amount, refunded], ...(returned ? [['refunded', amount, amount]] : [])]
}

function invoiceFigures({ status, number, amount, tax, customer, due, paid, voided, order, paying }: Invoice) {
  return {
    ...{
      status,
      number,
      amount,
      amount_tax: tax,
      customer: customer.email,
      order: nameOf(order),
      paying: paying !== null,
    },
    ...{ due_at: when(due), paid_at: when(paid), voided_at: when(voided) },
  }
}

function subscriptionFigures(one: Subscription) {
  const { status, customer, first, line, code, payments } = one
  return {
    ...{ status, customer: customer.email, order: first.name, price: line.price.name, quantity: line.quantity },
    ...{ amount: line.unit! * line.quantity, discount: first.code?.name ?? null, payments_count: payments },
    ...{ current_period_start: when(one.start), current_period_end: when(one.end), trial_ends_at: when(one.trialEnds) },
    ...{ ends_at: when(one.ends), canceled: one.canceled !== null, canceled_at: when(one.canceled) },
    ...{ cancellation_reason: one.reason, paused: one.paused !== null, paused_at: when(one.paused) },
    ...{ resumes_at: when(one.resumes), allowed_actions: actionsOf(one), copied: code !== null },
    next: one.due && [one.due.step, when(one.due.at)],
  }
}

function actionsOf(one: Subscription): string[] {
  if (one.status === 'canceled') return []
  const isRunning = one.status === 'active' || one.status === 'trialing'
  return ['cancel', ...(isRunning && one.ends === null ? ['pause'] : []), ...(canResume(one) ? ['resume'] : [])]
}

function grantFigures({ customer, price, order, subscription, start, end }: Grant): string {
  return [customer.email, price.name, order.name, nameOf(subscription), written(start), when(end)].join(' | ')
}
