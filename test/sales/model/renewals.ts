import { taxed } from './carts.ts'
import { store } from './checkouts.ts'
import { askedOf, close } from './closing.ts'
import { DAY, type Minutes } from './moments.ts'
import { begin, fail, succeed } from './payments.ts'
import { type Cart, refuse, refuseState, type State, type Subscription } from './state.ts'
import { costOfNext, endAccess, isPaidUp, plan, takeUpAccess } from './subscriptions.ts'

/** Does what has fallen due. */
export function fallDue(state: State, subscription: Subscription): void {
  const { step } = subscription.due!
  if (step === 'charge') charge(state, subscription)
  else if (step === 'resume') goOn(state, subscription)
  else if (step === 'end') end(state, subscription, subscription.ends ?? state.now, reasonOf(subscription))
  else {
    subscription.status = 'unpaid'
    state.events.push(`subscription.updated ${subscription.name}`)
    plan(state, subscription)
  }
}

function charge(state: State, subscription: Subscription): void {
  const payment = begin(state, { ...cartOfNext(subscription), checkout: null, invoice: null, subscription })
  Object.assign(subscription, { paying: payment, due: null })
  if (payment.order.amount === 0) succeed(state, payment, 'good')
  else if (subscription.card !== 'fails later') succeed(state, payment, subscription.card)
  else {
    fail(state, payment, { counts: false })
    if (!askedOf(state, subscription)) ask(state, subscription)
  }
}

/** The next period as a cart of its own. */
function cartOfNext(subscription: Subscription): { cart: Cart; customer: Subscription['customer'] } {
  const { line, code, customer, rate } = subscription
  const { amount: subtotal, discount } = costOfNext(subscription)
  const { amount: total, tax } = taxed(subtotal - discount, rate)
  const lines = [{ ...line, fee: 0, discount, amount: total, tax }]
  const used = discount > 0 ? code!.source : null
  return { customer, cart: { lines, code: used, rate, subtotal, discount, tax, total } }
}

/** The buyer of an unpaid period is sent a checkout to pay it by. */
function ask(state: State, subscription: Subscription): void {
  const before = state.checkouts.filter(({ name }) => name.startsWith('asked') && name.endsWith(subscription.name))
  store(state, {
    ...{ ...cartOfNext(subscription), email: subscription.customer.email, invoice: null, subscription },
    name: `asked ${before.length + 1} of ${subscription.name}`,
    expires: subscription.unpaidSince! + 30 * DAY,
  })
}

function reasonOf(subscription: Subscription): string | null {
  if (isPaidUp(subscription)) return 'completed'
  return subscription.unpaidSince === null ? subscription.reason : 'unpaid'
}

/** For good. */
function end(state: State, subscription: Subscription, at: Minutes, reason: string | null): void {
  if (!isPaidUp(subscription)) endAccess(state, subscription, at)
  const asked = askedOf(state, subscription)
  if (asked) close(state, asked, 'expired')
  Object.assign(subscription, { status: 'canceled', ends: at, reason, paused: null, resumes: null, due: null })
  subscription.canceled ??= state.now
  state.events.push(`subscription.canceled ${subscription.name}`)
}

export function cancel(
  state: State,
  subscription: Subscription,
  { immediately, reason }: { immediately: boolean; reason: string | null },
): void {
  if (subscription.status === 'canceled') refuseState()
  if (subscription.ends !== null && !immediately) refuseState()
  const given = reason ?? subscription.reason
  if (!immediately && isRunning(subscription)) {
    Object.assign(subscription, { canceled: state.now, ends: subscription.end, reason: given })
    endAccess(state, subscription, subscription.end)
    state.events.push(`subscription.updated ${subscription.name}`)
    plan(state, subscription)
    return
  }
  stopPayment(state, subscription)
  end(state, subscription, state.now, given ?? (isPaidUp(subscription) ? 'completed' : null))
}

function isRunning({ status }: Subscription): boolean {
  return status === 'active' || status === 'trialing'
}

/** The payment under way is given up. */
function stopPayment(state: State, subscription: Subscription): void {
  const { paying } = subscription
  subscription.paying = null
  if (paying !== null) fail(state, paying, { counts: false })
}

export function pause(state: State, subscription: Subscription, resumes: Minutes | null): void {
  if (!isRunning(subscription) || subscription.ends !== null) refuseState()
  if (resumes !== null && resumes <= state.now) refuse('resumes_at')
  endAccess(state, subscription, subscription.end)
  Object.assign(subscription, { status: 'paused', paused: state.now, resumes })
  state.events.push(`subscription.paused ${subscription.name}`)
  plan(state, subscription)
}

export function resume(state: State, subscription: Subscription): void {
  if (!canResume(subscription)) refuseState()
  goOn(state, subscription)
  if (subscription.due!.at <= state.now) fallDue(state, subscription)
}

export function canResume(subscription: Subscription): boolean {
  if (subscription.status === 'paused') return true
  return isRunning(subscription) && subscription.ends !== null && subscription.canceled !== null
}

/** A period that is over begins anew now, with a calendar of its own. */
function goOn(state: State, subscription: Subscription): void {
  const { now } = state
  const isOver = subscription.end <= now
  const inTrial = subscription.trialEnds !== null && subscription.trialEnds > now
  Object.assign(subscription, { status: inTrial ? 'trialing' : 'active', canceled: null, reason: null, ends: null })
  Object.assign(subscription, { paused: null, resumes: null, ...(isOver && { end: now, anchor: null, periods: 0 }) })
  takeUpAccess(state, subscription, { isOver })
  state.events.push(`subscription.resumed ${subscription.name}`)
  plan(state, subscription)
}
