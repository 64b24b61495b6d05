import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Chance, randomFrom } from '../support/chance.ts'
import { ConnectedShop } from '../support/connected.ts'
import { SEED, times } from '../support/depth.ts'
import { onEachEngine } from '../support/shop.ts'
import type { StripeAccount } from '../support/stripe-account.ts'
import { StripeServer } from '../support/stripe-server.ts'

const STEPS = times({ gate: 14, deep: 120 })
const stripe = await new StripeServer().open()
afterAll(() => stripe.close())

/** An account that sells, and moves between accounts of its own at the provider. */
class Mover {
  readonly one: ConnectedShop
  readonly places = [stripe.openAccount(), stripe.openAccount()]
  readonly connections = new Map<StripeAccount, string>()
  readonly subscriptions: string[] = []
  #at = 0

  constructor(one: ConnectedShop) {
    this.one = one
  }

  get place(): StripeAccount {
    return this.places[this.#at]!
  }

  async move(to: number): Promise<void> {
    this.#at = to
    this.connections.set(this.place, await this.one.connect(this.place))
  }

  async step(chance: Chance): Promise<void> {
    const { one } = this
    switch (chance(6)) {
      case 0:
        return this.move(chance(2))
      case 1: {
        const { subscription } = await one.sell(this.place, one.monthly)
        return void this.subscriptions.push(subscription)
      }
      case 2:
        return this.renew(chance)
      case 3:
        return this.refund(chance)
      case 4:
        return this.refundOutside(chance)
      default:
        await one.sell(this.place)
    }
  }

  async renew(chance: Chance): Promise<void> {
    const id = this.subscriptions[chance(this.subscriptions.length)]
    if (id === undefined) return
    await this.one.fallsDue(id)
    for (const place of this.places) await this.one.told(place)
  }

  async refund(chance: Chance): Promise<void> {
    const { shop } = this.one
    const orders = (await shop.get('/orders?limit=100')).data
    const order = orders[chance(orders.length)]
    const left = order ? order.amount - order.amount_refunded : 0
    if (left === 0 || !['succeeded', 'partially_refunded'].includes(order.status)) return
    await shop.post('/refunds', { order: order.id, amount: 1 + chance(left) })
    await shop.settled()
    for (const place of this.places) await this.one.told(place)
  }

  async refundOutside(chance: Chance): Promise<void> {
    const { bank } = this.place
    const paid = [...bank.intents.values()].filter(({ status, amount }) => status === 'succeeded' && amount > 0)
    const intent = paid[chance(paid.length)]
    if (!intent) return
    const left = intent.amount - sumOf([...bank.refunds.values()].filter((one) => one.payment_intent === intent.id))
    if (left > 0) bank.createRefund({ payment_intent: intent.id, amount: String(1 + chance(left)) })
    await this.one.told(this.place)
  }

  /** Compares what each place has kept with the account's own figures. */
  async compare(): Promise<void> {
    const { shop } = this.one
    for (const [{ bank }, connection] of this.connections) {
      const kept =
        sumOf([...bank.intents.values()].filter(({ status }) => status === 'succeeded')) -
        sumOf([...bank.refunds.values()])
      const rows = await shop.db
        .selectFrom('payments')
        .innerJoin('orders', (join) =>
          join.onRef('orders.account_id', '=', 'payments.account_id').onRef('orders.id', '=', 'payments.order_id'),
        )
        .select(['orders.amount', 'orders.amount_refunded', 'payments.account_id'])
        .where('payments.provider', '=', connection)
        .where('payments.status', '=', 'succeeded')
        .execute()
      expect(rows.every(({ account_id }) => account_id === shop.accountId)).toBe(true)
      expect([connection, sumOf(rows) - rows.reduce((sum, row) => sum + row.amount_refunded, 0)]).toEqual([
        connection,
        kept,
      ])
    }
  }
}

function sumOf(all: readonly { amount: number }[]): number {
  return all.reduce((sum, { amount }) => sum + amount, 0)
}

describe('What accounts say of their money', () => {
  onEachEngine(
    (shop) => {
      let movers: Mover[]
      beforeAll(async () => {
        const other = shop.as(await shop.running.another('other'))
        const shops = [shop, other].map((one) => new ConnectedShop(one, stripe).open())
        movers = (await Promise.all(shops)).map((one) => new Mover(one))
        for (const mover of movers) await mover.move(0)
      })

      it('agrees to the cent with each place where they are paid, whatever they do at the same time', async () => {
        await Promise.all(
          movers.map(async (mover, index) => {
            const chance = randomFrom(SEED + index)
            for (let step = 0; step < STEPS; step++) await mover.step(chance)
          }),
        )
        await shop.settled()
        for (const mover of movers) {
          expect(mover.connections.size).toBeGreaterThan(0)
          await mover.compare()
        }
        expect(stripe.bank.sessions.size).toBe(0)
      })
    },
    { STRIPE_API_URL: stripe.url },
  )
})
