import type { Checkout, State, Subscription } from './state.ts'

/** Ends an open checkout that nobody will pay. */
export function close(state: State, checkout: Checkout, how: 'expired' | 'abandoned'): void {
  checkout.status = how
  state.events.push(`checkout.${how} ${checkout.name}`)
}

/** The open checkout of an unpaid period. */
export function askedOf(state: State, subscription: Subscription): Checkout | undefined {
  return state.checkouts.find((one) => one.subscription === subscription && one.status === 'open')
}
