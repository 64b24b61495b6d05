import { isTarget } from './carts.ts'
import { askedOf, close } from './closing.ts'
import { cyclesAfter, DAY, type Minutes, monthsAfter } from './moments.ts'
import { reductions } from './money.ts'
import type { Card, Code, Due, Line, Order, Payment, State, Subscription } from './state.ts'

const TRIES = [1, 3, 5, 7]

/** Begins what a checkout bought. */
export function start(state: State, order: Order, line: Line, card: Card): Subscription {
  const { now } = state
  const trialEnds = line.terms!.trialDays === null ? null : now + line.terms!.trialDays * DAY
  const inTrial = trialEnds !== null
  const subscription: Subscription = {
    ...{ name: `subscription of ${order.checkout!.name}`, customer: order.customer, first: order, line, card },
    rate: order.checkout!.cart.rate,
    status: inTrial ? 'trialing' : 'active',
    code: copyOf(order.code, line),
    ...{ trialEnds, start: now, end: trialEnds ?? cycles(line, now, 1) },
    ...(inTrial
      ? { anchor: null, periods: 0, firstCharged: null, payments: 0 }
      : { anchor: now, periods: 1, firstCharged: now, payments: 1 }),
    ...{
      ends: null,
      canceled: null,
      reason: null,
      paused: null,
      resumes: null,
      unpaidSince: null,
      paying: null,
      due: null,
    },
  }
  state.subscriptions.push(subscription)
  state.events.push(`subscription.created ${subscription.name}`)
  plan(state, subscription)
  return subscription
}

function copyOf(code: Code | null, line: Line): Subscription['code'] {
  if (!code || !isTarget(code, line)) return null
  const { percent, off, duration, months } = code
  return { percent, off, duration, months, source: code }
}

function cycles({ terms }: Line, from: Minutes, count: number): Minutes {
  return cyclesAfter(from, terms!.interval, terms!.count * count)
}

/** What the next period costs, and how much a code takes off. */
export function costOfNext({ line, code, payments, firstCharged, end }: Subscription): {
  amount: number
  discount: number
} {
  const amount = line.unit! * line.quantity
  const lasts =
    code !== null &&
    (code.duration === 'forever' ||
      payments === 0 ||
      (code.duration === 'repeating' && end < monthsAfter(firstCharged!, code.months!)))
  return { amount, discount: lasts ? reductions(code, [amount])[0]! : 0 }
}

export function isPaidUp({ line, payments }: Subscription): boolean {
  return line.terms!.instalments !== null && payments >= line.terms!.instalments
}

/** A payment has begun the next period; with a card that the buyer entered, if one was. */
export function paid(state: State, subscription: Subscription, { order, checkout }: Payment, card: Card | null): void {
  const { line, anchor, end } = subscription
  const next = anchor === null ? { anchor: end, periods: 1 } : { anchor, periods: subscription.periods + 1 }
  Object.assign(subscription, next, { start: end, end: cycles(line, next.anchor, next.periods) })
  if (subscription.end <= state.now)
    Object.assign(subscription, { anchor: state.now, periods: 1, start: state.now, end: cycles(line, state.now, 1) })
  subscription.payments += 1
  subscription.firstCharged ??= subscription.start
  Object.assign(subscription, { status: 'active', unpaidSince: null, paying: null, card: card ?? subscription.card })
  subscription.ends = isPaidUp(subscription) ? subscription.end : null
  continueAccess(state, subscription, order)
  const asked = askedOf(state, subscription)
  if (asked && asked !== checkout) close(state, asked, 'expired')
  state.events.push(`subscription.renewed ${subscription.name}`)
  plan(state, subscription)
}

/** A try at the next period has failed. */
export function failed(state: State, subscription: Subscription, payment: Payment): void {
  if (subscription.paying !== payment) return
  const before = subscription.status
  subscription.status = before === 'unpaid' ? 'unpaid' : 'past_due'
  subscription.unpaidSince ??= subscription.end
  subscription.paying = null
  if (subscription.status !== before) state.events.push(`subscription.past_due ${subscription.name}`)
  plan(state, subscription)
}

/** Plans what falls due next. */
export function plan({ now }: State, subscription: Subscription): void {
  subscription.due = nextOf(subscription, now)
}

function nextOf({ status, ends, paying, paused, resumes, unpaidSince, end }: Subscription, now: Minutes): Due | null {
  if (status === 'canceled') return null
  if (ends !== null) return { step: 'end', at: ends }
  if (paying !== null) return null
  if (paused !== null) return resumes === null ? null : { step: 'resume', at: resumes }
  if (unpaidSince === null) return { step: 'charge', at: end }
  if (status === 'unpaid') return { step: 'end', at: unpaidSince + 30 * DAY }
  const day = TRIES.find((one) => unpaidSince + one * DAY > now)
  return day === undefined
    ? { step: 'give_up', at: unpaidSince + 14 * DAY }
    : { step: 'charge', at: unpaidSince + day * DAY }
}

/** Access goes on for as long as the subscription runs, by the order that paid for the present period. */
function continueAccess(state: State, subscription: Subscription, order: Order): void {
  const running = accessOf(state, subscription)
  for (const grant of running) Object.assign(grant, { order, end: null })
  if (running.length === 0) grant(state, subscription, order)
}

/** What a pause or a cancellation had planned to end goes on; a new period that is due now begins with access. */
export function takeUpAccess(state: State, subscription: Subscription, { isOver }: { isOver: boolean }): void {
  const running = accessOf(state, subscription)
  for (const one of running) one.end = null
  if (running.length === 0 && isOver) grant(state, subscription, subscription.first)
}

function grant(state: State, subscription: Subscription, order: Order): void {
  const { customer, line } = subscription
  state.grants.push({ customer, price: line.price, order, subscription, start: state.now, end: null })
}

export function endAccess(state: State, subscription: Subscription, at: Minutes): void {
  for (const grant of state.grants)
    if (grant.subscription === subscription && (grant.end === null || grant.end > at)) grant.end = at
}

function accessOf(state: State, subscription: Subscription) {
  return state.grants.filter(
    (grant) => grant.subscription === subscription && (grant.end === null || grant.end > state.now),
  )
}
