import { DAY_MS, HOUR_MS, laterBy } from '../contract/values/values.ts'
import type { Channel, Recovery } from '../resources/sales/order/order.ts'
import { type Cycle, periodEnd } from '../resources/sales/subscription/calendar.ts'
import type { Shopkeeper } from './shopkeeper.ts'

interface Person {
  name: string
  email: string
}

export interface Offer {
  id: string
  name: string
  product: string
  product_name: string
  amount: number
  setup_fee_amount: number | null
  recurring_interval: 'month' | 'year' | null
  trial_period_days: number | null
}

export interface Sale {
  at: string
  buyer: Person
  offer: Offer
  quantity: number
  amount: number
  fee: number
  channel: Channel
  failed: boolean
  recoveredBy: Recovery | null
  refund: { at: string; amount: number; reason: string } | null
  subscription: DemoSubscription | null
}

export interface DemoSubscription {
  status: 'trialing' | 'active' | 'canceled'
  startedAt: string
  cycle: Cycle
  anchor: string
  trialEndsAt: string | null
  periods: number
  canceled: { at: string; endsAt: string; reason: string } | null
}

type PriceShare = readonly [product: string, price: string, share: number]

const GUIDE: PriceShare = ['Field Guide to Paper', 'Single', 36]
/** The share of each price in all purchases, in percent. */
const SHARES: readonly PriceShare[] = [
  GUIDE,
  ['Bookbinding in a Weekend', 'Course', 15],
  ['Pay What You Like Zine', 'Zine', 14],
  ['Grid Templates', 'Free', 11],
  ['Printing Day at the Press', 'Seat', 8],
  ['Field Guide to Paper', 'Class license', 5],
  ['Pattern Club', 'Monthly', 6],
  ['Studio Membership', 'Monthly', 3],
  ['Pattern Club', 'Yearly', 2],
]
/** Factors by which the number of orders per day is multiplied, by weekday from Sunday. */
const WEEK = [1.25, 0.7, 0.8, 0.9, 1.05, 0.95, 1.35]
const OPENED = 190
const QUIET_WEEK = { from: 76, to: 70, factor: 0.2 }
/** Factors for the days from the launch of the guide's second edition, which the posts announce. */
const LAUNCH = { day: 12, factors: [4, 3, 2.2, 1.6] }

const REASONS = ['requested_by_customer', 'duplicate', 'The PDF did not open on an old reader.']
const FAREWELLS = ['too_expensive', 'Not enough time to print', 'switched_service', 'unused']

const PAID_FOR = { status: 'active', periods: 1 } as const
const ON_TRIAL = { status: 'trialing', periods: 0 } as const

/** Generates half a year of purchases with growth and weekly peaks. A fixed seed makes the history of a given day reproducible. */
export class Trade {
  readonly orders: Sale[] = []
  readonly #shop: Shopkeeper
  readonly #until: string
  readonly #random = seeded(14)
  readonly #buyers: Person[] = []

  constructor(shop: Shopkeeper) {
    const until = shop.before(0)
    this.#shop = shop
    this.#until = until
    for (let daysAgo = OPENED; daysAgo >= 0; daysAgo--) this.#day(daysAgo)
    this.orders = this.orders.filter(({ at }) => at <= until).sort((one, other) => (one.at < other.at ? -1 : 1))
  }

  #day(daysAgo: number): void {
    const launched = LAUNCH.factors[LAUNCH.day - daysAgo] ?? 1
    const quiet = daysAgo <= QUIET_WEEK.from && daysAgo >= QUIET_WEEK.to ? QUIET_WEEK.factor : 1
    const growth = 0.7 + 3.2 * (1 - daysAgo / OPENED) ** 1.3
    const weekday = WEEK[new Date(this.#shop.on(-daysAgo, 12)).getUTCDay()] ?? 1
    for (let left = this.#randomCount(growth * weekday * quiet * launched); left > 0; left--) {
      const at = laterBy(this.#shop.on(-daysAgo, 12), Math.floor((this.#random() + this.#random()) * 7 * HOUR_MS))
      this.#purchase(at, launched > 1 && this.#chance(0.6) ? GUIDE : this.#pickPrice())
    }
  }

  #purchase(at: string, [product, price]: PriceShare): void {
    const offer = this.#shop.named<Offer>(`${product}, ${price}`)
    const isNew = this.#buyers.length === 0 || this.#chance(0.66)
    const buyer = isNew ? person(this.#buyers.length) : this.#pick(this.#buyers)
    if (isNew) this.#buyers.push(buyer)
    if (offer.recurring_interval !== null) this.#subscribe(at, buyer, offer)
    else this.#order(at, buyer, offer)
  }

  /** Adds an order. Some orders succeed on a second payment, some never succeed, and some are refunded. */
  #order(at: string, buyer: Person, offer: Offer): void {
    const quantity = this.#chance(0.06) ? 2 : 1
    const unit = offer.name === 'Zine' ? 100 * (3 + this.#randomCount(3)) : offer.amount
    const channel = this.#pick(['storefront', 'storefront', 'storefront', 'link', 'api'] as const)
    const order = { ...paid(at, buyer, offer), quantity, amount: unit * quantity, channel }
    const declined = order.amount > 0 && this.#chance(0.05)
    if (declined) this.orders.push({ ...order, failed: true })
    if (declined && this.#chance(0.3)) return
    const paidAt = declined ? laterBy(at, HOUR_MS / 6) : at
    const refund = order.amount > 0 && this.#chance(0.035) ? this.#refund(paidAt, order.amount) : null
    this.orders.push({ ...order, at: paidAt, recoveredBy: declined ? 'second_try' : null, refund })
  }

  #refund(at: string, amount: number): Sale['refund'] {
    const back = laterBy(at, Math.floor((1 + this.#random() * 8) * DAY_MS))
    if (back > this.#until) return null
    return { at: back, amount: this.#chance(0.7) ? amount : Math.floor(amount / 2), reason: this.#pick(REASONS) }
  }

  /** Adds a subscription. Some are canceled after a period, and some renewals succeed on a second payment. */
  #subscribe(at: string, buyer: Person, offer: Offer): void {
    const trialEndsAt = offer.trial_period_days === null ? null : laterBy(at, offer.trial_period_days * DAY_MS)
    const anchor = trialEndsAt ?? at
    const cycle: Cycle = { interval: offer.recurring_interval ?? 'month', interval_count: 1 }
    const started = trialEndsAt === null ? PAID_FOR : ON_TRIAL
    const subscription: DemoSubscription = { ...started, startedAt: at, cycle, anchor, trialEndsAt, canceled: null }
    const fee = offer.setup_fee_amount ?? 0
    const first = trialEndsAt === null ? offer.amount + fee : fee
    this.orders.push({ ...paid(at, buyer, offer), amount: first, fee, channel: 'storefront', subscription })
    const end = () => periodEnd(anchor, cycle, subscription.periods)
    for (; end() <= this.#until; subscription.periods++) {
      if (this.#chance(0.08)) {
        this.#cancel(subscription, end())
        return
      }
      subscription.status = 'active'
      const renewal = { ...paid(end(), buyer, offer), amount: offer.amount, channel: 'renewal' as const, subscription }
      const declined = this.#chance(0.06) && laterBy(end(), DAY_MS) <= this.#until
      if (declined) this.orders.push({ ...renewal, failed: true })
      this.orders.push(declined ? { ...renewal, at: laterBy(end(), DAY_MS), recoveredBy: 'retry' } : renewal)
    }
  }

  #cancel(subscription: DemoSubscription, endsAt: string): void {
    subscription.status = 'canceled'
    subscription.canceled = { at: laterBy(endsAt, -3 * DAY_MS), endsAt, reason: this.#pick(FAREWELLS) }
  }

  #pickPrice(): PriceShare {
    const drawn = this.#random() * 100
    let sum = 0
    for (const one of SHARES) {
      sum += one[2]
      if (drawn < sum) return one
    }
    return GUIDE
  }

  #chance(of: number): boolean {
    return this.#random() < of
  }

  #pick<Value>(values: readonly Value[]): Value {
    const value = values[Math.floor(this.#random() * values.length)]
    if (value === undefined) throw new Error('There is nothing to choose from.')
    return value
  }

  /** Returns a random integer near `mean`. The average of many such integers is `mean`. */
  #randomCount(mean: number): number {
    return Math.floor(mean * (0.6 + 0.8 * this.#random()) + this.#random())
  }
}

/** The two lists of names have 31 and 29 entries. These numbers share no factor, so the first 899 people have different names. */
const FIRST =
  'Alice Bruno Clara Diego Edith Felix Grace Henrik Isla Jamal Karin Louis Mei Nils Olga Pedro Quinn Rosa Selim Tara Ugo Vera Wendell Xenia Yusuf Zoe Arlo Bianca Cyrus Dana Elif'.split(
    ' ',
  )
const LAST =
  'Abbott Bauer Cohen Dunn Eriksen Farrell Grimaldi Hoang Ito Jensen Khan Lowell Mercer Novak Ortiz Park Quigley Rossi Silva Tran Underhill Vance Walsh Yilmaz Zimmer Ashby Brandl Castellano Doyle'.split(
    ' ',
  )

/** Returns the same person for the same number. */
function person(number: number): Person {
  const [first, last] = [FIRST, LAST].map((names) => names[number % names.length])
  return { name: `${first} ${last}`, email: `${first}.${last}@example.com`.toLowerCase() }
}

function paid(at: string, buyer: Person, offer: Offer): Omit<Sale, 'amount' | 'channel'> {
  const blank = { failed: false, recoveredBy: null, refund: null, subscription: null }
  return { at, buyer, offer, quantity: 1, fee: 0, ...blank }
}

/** Returns a reproducible generator of numbers from 0 to 1 (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
