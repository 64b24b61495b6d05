import { spread, taxIn, total } from './money.ts'
import { type Order, type Refund, refuse, refuseState, type State } from './state.ts'

/** `amount` null: all that is left. */
export function refund(state: State, order: Order, amount: number | null): void {
  if (order.status !== 'succeeded' && order.status !== 'partially_refunded') refuseState()
  if (order.amount === 0) refuseState()
  const left = order.amount - order.refunded
  if (amount !== null && amount > left) refuse('amount')
  const given = amount ?? left
  const made: Refund = { order, amount: given, tax: 0, status: order.refundable ? 'succeeded' : 'failed' }
  state.refunds.push(made)
  state.events.push(`refund.created ${order.name}`)
  if (order.refundable) book(state, made)
  else state.events.push(`refund.failed ${order.name}`)
}

function book(state: State, made: Refund): void {
  const { order, amount } = made
  const shares = spread(
    amount,
    order.lines.map((line) => line.amount - line.refunded),
  )
  for (const [place, line] of order.lines.entries()) {
    line.refunded += shares[place]!
    line.taxRefunded = Math.max(line.taxRefunded, taxIn(line.refunded, line))
  }
  order.refunded += amount
  made.tax = total(order.lines.map(({ taxRefunded }) => taxRefunded)) - order.taxRefunded
  order.taxRefunded += made.tax
  order.status = order.refunded === order.amount ? 'refunded' : 'partially_refunded'
  state.events.push(`order.${order.status} ${order.name}`)
  if (order.status === 'refunded') undo(state, order)
}

/** What a full refund takes back: the stock of a first order, and the access that is the order's. */
function undo(state: State, order: Order): void {
  if (order.isFirst) for (const { price, quantity } of order.lines) if (price.stock !== null) price.stock += quantity
  for (const grant of state.grants)
    if (grant.order === order && (grant.end === null || grant.end > state.now)) grant.end = state.now
}

/**
 * What a bank reports of a buyer who disputes a payment. A lost dispute is a refund of what was left; the bank may decide otherwise
 * later. Each order has one dispute, and once it is decided, the news that it was opened is old.
 */
export function dispute(state: State, order: Order, what: 'opened' | 'won' | 'lost'): void {
  if (what === 'opened' && order.isDecided) return
  if (what !== 'opened') order.isDecided = true
  if (order.lost !== null) {
    if (what === 'won' && order.lost.status === 'succeeded') reverse(state, order.lost)
    return
  }
  if (what !== 'won' && (order.status === 'succeeded' || order.status === 'partially_refunded')) {
    Object.assign(order, { beforeDispute: order.status, status: 'disputed' })
    state.events.push(`order.disputed ${order.name}`)
  }
  if (what === 'opened' || order.status !== 'disputed') return
  order.status = order.beforeDispute!
  if (what === 'won') return
  const amount = order.amount - order.refunded
  order.lost = { order, amount, tax: 0, status: 'succeeded' }
  state.refunds.push(order.lost)
  state.events.push(`refund.created ${order.name}`)
  book(state, order.lost)
}

/** The money is the shop's again; stock and access stay as the refund left them. */
function reverse(state: State, refunded: Refund): void {
  const { order, amount, tax } = refunded
  const shares = spread(
    amount,
    order.lines.map((line) => line.refunded),
  )
  const taxes = spread(
    tax,
    order.lines.map((line) => line.taxRefunded),
  )
  for (const [place, line] of order.lines.entries()) {
    line.refunded -= shares[place]!
    line.taxRefunded -= taxes[place]!
  }
  order.refunded -= amount
  order.taxRefunded -= tax
  order.status = order.refunded === 0 ? 'succeeded' : 'partially_refunded'
  refunded.status = 'failed'
  state.events.push(`refund.failed ${order.name}`)
}
