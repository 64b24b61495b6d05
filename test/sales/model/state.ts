import type { Interval, Minutes } from './moments.ts'
import type { Reduction } from './money.ts'

export interface Product {
  name: string
  status: 'draft' | 'active' | 'archived'
}

export interface Terms {
  interval: Interval
  count: number
  instalments: number | null
  fee: number
  trialDays: number | null
}

export interface Price {
  name: string
  product: Product
  kind: 'fixed' | 'custom' | 'free'
  amount: number
  least: number | null
  most: number | null
  preset: number | null
  currency: string
  terms: Terms | null
  revokeDays: number | null
  stock: number | null
  archived: boolean
  sold: boolean
}

export interface Code extends Reduction {
  name: string
  currency: string | null
  duration: 'once' | 'repeating' | 'forever'
  months: number | null
  products: Product[]
  prices: Price[]
  most: number | null
  until: Minutes | null
  on: boolean
  /** Payments under way that have it. */
  held: number
}

export interface Customer {
  email: string
}

/** A line of a cart, with the terms that its price had. */
export interface Line {
  price: Price
  quantity: number
  /** Null while the buyer of a custom price has named none. */
  unit: number | null
  currency: string
  terms: Terms | null
}

/** Buyers of the last one pay no tax. */
export type Country = 'DE' | 'FR' | 'US'

export interface Rate {
  /** Millionths of the price, or of the price without tax where it is included. */
  share: number
  inclusive: boolean
}

export interface Cart {
  lines: (Line & { amount: number; discount: number; fee: number; tax: number })[]
  code: Code | null
  /** Of the buyer's country; null where no tax is charged. */
  rate: Rate | null
  subtotal: number
  discount: number
  /** Part of the total. */
  tax: number
  total: number
}

export interface Checkout {
  name: string
  status: 'open' | 'complete' | 'abandoned' | 'expired'
  cart: Cart
  email: string | null
  customer: Customer | null
  invoice: Invoice | null
  subscription: Subscription | null
  expires: Minutes
  paying: Payment | null
  fails: number
  order: Order | null
  completed: Minutes | null
}

/** What a card does, by the words of the test provider; `saved` is charged by a renewal. */
export type Card = 'good' | 'declined' | 'second step' | 'fails later' | 'no refund'

export interface Payment {
  order: Order
  checkout: Checkout | null
  subscription: Subscription | null
  /** The bank has asked the buyer for a second step. */
  asked: boolean
  /** Until when the buyer can finish it, while that is so. */
  until: Minutes | null
  state: 'waiting' | 'failed' | 'succeeded' | 'returned'
}

interface OrderLine {
  price: Price
  quantity: number
  unit: number
  fee: number
  amount: number
  discount: number
  tax: number
  refunded: number
  taxRefunded: number
}

export interface Order {
  name: string
  customer: Customer
  status: 'pending' | 'succeeded' | 'failed' | 'partially_refunded' | 'refunded' | 'disputed'
  beforeDispute: Order['status'] | null
  /** The bank has decided its dispute. */
  isDecided: boolean
  /** What the dispute that was lost has cost. */
  lost: Refund | null
  amount: number
  subtotal: number
  discount: number
  tax: number
  currency: string
  code: Code | null
  checkout: Checkout | null
  subscription: Subscription | null
  /** It took stock and began what it paid; a renewal, or what paid an unpaid period, did not. */
  isFirst: boolean
  invoice: Invoice | null
  made: Minutes
  paid: Minutes | null
  refunded: number
  taxRefunded: number
  lines: OrderLine[]
  refundable: boolean
  /** Money that came too late and went back. */
  returned: boolean
}

export interface Refund {
  order: Order
  amount: number
  /** Part of the amount. */
  tax: number
  status: 'succeeded' | 'failed'
}

export interface Invoice {
  name: string
  number: string
  status: 'open' | 'paid' | 'past_due' | 'void'
  line: Line
  rate: Rate | null
  amount: number
  tax: number
  customer: Customer
  due: Minutes
  paid: Minutes | null
  voided: Minutes | null
  order: Order | null
  paying: Payment | null
}

export interface Subscription {
  name: string
  status: 'active' | 'trialing' | 'past_due' | 'unpaid' | 'paused' | 'canceled'
  customer: Customer
  first: Order
  line: Line
  rate: Rate | null
  /** A copy: what happens to the code later changes nothing. */
  code: (Reduction & Pick<Code, 'duration' | 'months'> & { source: Code }) | null
  card: Card
  trialEnds: Minutes | null
  start: Minutes
  end: Minutes
  /** Period n ends n cycles after the anchor. */
  anchor: Minutes | null
  periods: number
  firstCharged: Minutes | null
  payments: number
  ends: Minutes | null
  canceled: Minutes | null
  reason: string | null
  paused: Minutes | null
  resumes: Minutes | null
  /** When the period was due that is not paid yet. */
  unpaidSince: Minutes | null
  paying: Payment | null
  due: Due | null
}

export interface Due {
  step: 'charge' | 'give_up' | 'resume' | 'end'
  at: Minutes
}

export interface Grant {
  customer: Customer
  price: Price
  order: Order
  subscription: Subscription | null
  start: Minutes
  end: Minutes | null
}

/** The whole shop, as plain objects. */
export interface State {
  now: Minutes
  currency: string
  rates: Partial<Record<Country, Rate>>
  products: Product[]
  prices: Price[]
  codes: Code[]
  customers: Customer[]
  checkouts: Checkout[]
  payments: Payment[]
  orders: Order[]
  refunds: Refund[]
  invoices: Invoice[]
  subscriptions: Subscription[]
  grants: Grant[]
  /** Events since the last comparison: the type and what it is about. */
  events: string[]
}

/** What the shop refuses, by status and code, or by the fields that are wrong. */
export class Refused extends Error {}

export function refuse(...fields: string[]): never {
  throw new Refused(`422 ${fields.sort().join(' ')}`)
}

export function refuseState(): never {
  throw new Refused('400 invalid_state')
}
