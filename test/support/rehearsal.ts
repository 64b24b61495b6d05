import { laterBy } from '../../src/contract/values/values.ts'
import type { Paying } from '../../src/resources/sales/checkout/pay.ts'
import { nextNumber } from './numbers.ts'
import { pay, priceForSale } from './sell.ts'
import type { Body, Shop } from './shop.ts'

type Values = Record<string, unknown>

const DAY_MS = 24 * 60 * 60 * 1000
/** Moments of subscriptions are compared with the real time that a suite takes for a step. */
const STEP_MS = 60_000

/** Opens a test account of a running service, with its clock at `from`. */
export async function rehearse(shop: Shop, from = '2035-01-31T10:00:00Z'): Promise<Rehearsal> {
  const account = await shop.running.another(`rehearsal-${nextNumber()}`, { test: true })
  const rehearsal = new Rehearsal(shop.as(account))
  await rehearsal.to(from)
  return rehearsal
}

/** A shop whose clock the suite moves. */
export class Rehearsal {
  readonly shop: Shop

  constructor(shop: Shop) {
    this.shop = shop
  }

  /** Advances the clock to a time, and runs everything that falls due on the way. */
  async to(moment: string): Promise<void> {
    await this.shop.running.app.advanceClock(this.shop.accountId, moment)
  }

  /** Advances the clock to a minute after a time. */
  past = (moment: string) => this.to(laterBy(moment, STEP_MS))

  /** Advances the clock to a minute after the current period. */
  async pastPeriod(id: string): Promise<Body> {
    await this.past((await this.subscription(id)).current_period_end)
    return this.subscription(id)
  }

  subscription = (id: string): Promise<Body> => this.shop.get(`/subscriptions/${id}`)
  act = (id: string, action: string, body: Values = {}): Promise<Body> =>
    this.shop.post(`/subscriptions/${id}/${action}`, body)

  /** Sells a subscription as its buyer buys it; `card` is entered on the page. */
  async subscribe(price: Values = {}, { card, ...checkout }: Values & { card?: string } = {}): Promise<Body> {
    const variant = await priceForSale(this.shop, {
      ...{ amount: 2000, billing_type: 'subscription', recurring_interval: 'month', name: 'Monthly' },
      ...price,
    })
    const open = await this.shop.post('/checkouts', { line_items: [{ price_variant: variant.id }], ...checkout })
    const paid = await this.#pay(open, card === undefined ? {} : { card })
    return this.subscription(paid.subscription)
  }

  /** The buyer comes last, so that nothing completes before a card is entered. */
  async #pay({ id }: Body, paying: Paying): Promise<Body> {
    await this.shop.set('checkouts', id, { email: `subscriber-${id.slice(3)}@example.com` })
    return pay(this.shop, id, paying)
  }

  pay = (checkout: string, card?: string): Promise<Body> => pay(this.shop, checkout, card === undefined ? {} : { card })

  /** The orders of a subscription, the first one first. */
  async orders(id: string): Promise<Body[]> {
    const { data } = await this.shop.get(`/orders?subscription=${id}&limit=100&expand=charge,line_items`)
    return data.reverse()
  }

  /** The e-mails of the account, the first one first. */
  mails() {
    const emails = this.shop.db.selectFrom('emails').selectAll()
    return emails.where('account_id', '=', this.shop.accountId).orderBy('id').execute()
  }

  /** Types of the events that a change leaves in the account, in the order of their making; e-mails are apart. */
  async events(change: () => Promise<unknown>): Promise<string[]> {
    const before = await this.#eventIds()
    await change()
    const rows = await this.#events()
    return rows.filter(({ id }) => !before.has(id)).map(({ type }) => type)
  }

  async #eventIds(): Promise<Set<string>> {
    return new Set((await this.#events()).map(({ id }) => id))
  }

  #events() {
    const events = this.shop.db.selectFrom('events').select(['id', 'type']).where('type', 'not like', 'email.%')
    return events.where('account_id', '=', this.shop.accountId).orderBy('id').execute()
  }

  /** Whether the buyer of a subscription may use what was bought, at a moment of the clock. */
  async hasAccess(id: string, at: string): Promise<boolean> {
    const grants = await this.shop.db
      .selectFrom('access_grants')
      .selectAll()
      .where('account_id', '=', this.shop.accountId)
      .where('subscription', '=', id)
      .execute()
    return grants.some(({ starts_at, ends_at }) => starts_at <= at && (ends_at === null || ends_at > at))
  }
}

/** A moment some days later. */
export function daysAfter(moment: string, days: number): string {
  return laterBy(moment, days * DAY_MS)
}
