import type { Customer, State } from './state.ts'

/** The customer of an address, made when there is none. */
export function findOrMake(state: State, email: string): Customer {
  const known = state.customers.find((one) => one.email === email)
  if (known) return known
  const made = { email }
  state.customers.push(made)
  state.events.push(`customer.created ${email}`)
  return made
}

const COUNTED = ['succeeded', 'partially_refunded', 'refunded', 'disputed']

/** What a customer's figures are, counted anew from the orders. */
export function figuresOf({ orders, currency }: State, customer: Customer) {
  const own = orders.filter((order) => order.customer === customer && COUNTED.includes(order.status))
  const spent = own.filter((order) => order.currency === currency).map(({ amount, refunded }) => amount - refunded)
  const type = own.some(({ amount }) => amount > 0) ? 'paid' : own.length > 0 ? 'free' : 'lead'
  return { customer_type: type, orders_count: own.length, total_spend: spent.reduce((sum, amount) => sum + amount, 0) }
}
