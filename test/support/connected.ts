import { paymentSettings } from '../../src/resources/dashboard/payment-settings/settings.ts'
import { Visitor } from '../pages/visitor.ts'
import { type DashboardUser, ownerOf } from './dashboard.ts'
import { priceForSale } from './sell.ts'
import type { Body, Shop } from './shop.ts'
import type { StripeAccount } from './stripe-account.ts'
import type { StripeServer } from './stripe-server.ts'
import type { CardAnswer } from './stripe-things.ts'

const MONTHLY = { amount: 2900, billing_type: 'subscription', recurring_interval: 'month' }
const PAST = '2026-01-01T00:00:00.000Z'

/** A live account that is connected to its own accounts at the stand-in for Stripe. */
export class ConnectedShop {
  readonly shop: Shop
  readonly stripe: StripeServer
  owner!: DashboardUser
  price!: Body
  monthly!: Body
  #buyers = 0

  constructor(shop: Shop, stripe: StripeServer) {
    this.shop = shop
    this.stripe = stripe
  }

  async open(): Promise<this> {
    this.owner = await ownerOf(this.shop)
    this.price = await priceForSale(this.shop, { amount: 2900 })
    this.monthly = await priceForSale(this.shop, MONTHLY)
    return this
  }

  /** Connects an account with a key, and returns the id of the connection. */
  async connect(account: StripeAccount, key = this.stripe.keyOf(account)): Promise<string> {
    await this.owner.post('/payment_settings/connections', { key })
    const { connections } = await this.owner.read(paymentSettings)
    return connections.find(({ status }) => status === 'current')!.id
  }

  connectionOf = async (id: string) =>
    (await this.owner.read(paymentSettings)).connections.find((one) => one.id === id)!

  /** A buyer who has been sent to the page of an account; gives the checkout, and pays where the page is given a card. */
  async begin(price: Body = this.price): Promise<Body> {
    const email = `${this.shop.accountId.slice(-6)}-${++this.#buyers}@example.com`
    const checkout = await this.shop.post('/checkouts', { line_items: [{ price_variant: price.id }], email })
    const buyer = new Visitor(this.shop.running.url)
    await buyer.press(await buyer.open(checkout.url), 'pay')
    return checkout
  }

  /** The buyer pays at an account, which says so; gives the checkout as it is then. */
  async pay(checkout: Body, account: StripeAccount, card: CardAnswer = 'pays'): Promise<Body> {
    const session = [...account.bank.sessions.values()].at(-1)!
    account.bank.enterCard(session.id, card)
    await this.told(account)
    return this.shop.get(`/checkouts/${checkout.id}`)
  }

  async sell(account: StripeAccount, price: Body = this.price, card: CardAnswer = 'pays'): Promise<Body> {
    return this.pay(await this.begin(price), account, card)
  }

  /** Posts the new events of an account as webhooks. */
  async told(account: StripeAccount): Promise<number[]> {
    const statuses = await this.stripe.notify(account)
    await this.shop.settled()
    return statuses
  }

  rowOf = (id: string) =>
    this.shop.db.selectFrom('subscriptions').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

  /** Lets what a subscription has planned fall due. */
  async fallsDue(id: string): Promise<void> {
    const { due_job } = await this.rowOf(id)
    await this.shop.set('jobs', due_job!, { run_at: PAST })
    const done = async () => (await this.rowOf(id)).due_job !== due_job
    while (!(await done())) await new Promise((resolve) => setTimeout(resolve, 20))
    await this.shop.settled()
  }
}
