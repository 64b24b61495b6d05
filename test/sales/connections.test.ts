import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { paymentSettings } from '../../src/resources/dashboard/payment-settings/settings.ts'
import { ConnectedShop } from '../support/connected.ts'
import { type Body, onEachEngine } from '../support/shop.ts'
import type { StripeAccount } from '../support/stripe-account.ts'
import { StripeServer } from '../support/stripe-server.ts'

const stripe = await new StripeServer().open()
afterAll(() => stripe.close())

describe('Accounts with connections of their own', () => {
  onEachEngine(
    (first) => {
      let ada: ConnectedShop
      let bob: ConnectedShop
      beforeAll(async () => {
        ada = await new ConnectedShop(first, stripe).open()
        bob = await new ConnectedShop(first.as(await first.running.another('bobs')), stripe).open()
      })

      const chargesAt = ({ bank }: StripeAccount) =>
        [...bank.intents.values()].filter(({ status }) => status === 'succeeded').length
      const both = <Value>(work: (one: ConnectedShop) => Promise<Value>) => Promise.all([work(ada), work(bob)])
      const orderOf = ({ shop }: ConnectedShop, { order }: Body) => shop.get(`/orders/${order}`)

      it('are each paid at their own, and refunds, disputes and renewals go where the payment went', async () => {
        const accounts = new Map([ada, bob].map((one) => [one, stripe.openAccount()]))
        const at = (one: ConnectedShop) => accounts.get(one)!
        await both((one) => one.connect(at(one)))
        const sold = new Map(await both(async (one) => [one, await one.sell(at(one))] as const))
        const subscribed = new Map(await both(async (one) => [one, await one.sell(at(one), one.monthly)] as const))
        expect([...accounts.values()].map(chargesAt)).toEqual([2, 2])
        expect(stripe.bank.sessions.size).toBe(0)
        const next = new Map([ada, bob].map((one) => [one, stripe.openAccount()]))
        await both((one) => one.connect(next.get(one)!))
        await both(async (one) => {
          const order = await orderOf(one, sold.get(one)!)
          expect(order).toMatchObject({ status: 'succeeded', processor: 'card', test: true })
          await one.shop.post('/refunds', { order: order.id, amount: 900 })
          await one.shop.settled()
          await one.told(at(one))
          expect(await orderOf(one, sold.get(one)!)).toMatchObject({ amount_refunded: 900 })
          expect(at(one).bank.refunds.size).toBe(1)
          await one.fallsDue(subscribed.get(one)!.subscription)
          expect(chargesAt(at(one))).toBe(3)
          const [intent] = at(one).bank.intents.keys()
          at(one).bank.dispute(intent!, 'needs_response')
          await one.told(at(one))
          expect(await orderOf(one, sold.get(one)!)).toMatchObject({ status: 'disputed' })
          expect(await one.sell(next.get(one)!)).toMatchObject({ status: 'complete' })
          expect(chargesAt(next.get(one)!)).toBe(1)
        })
      })

      it('keep their connection when the key is replaced, also amid a payment', async () => {
        const account = stripe.openAccount()
        const old = stripe.keyOf(account)
        const connection = await ada.connect(account, old)
        const sold = await ada.sell(account, ada.monthly)
        const checkout = await ada.begin()
        expect(await ada.connect(account)).toBe(connection)
        stripe.endKey(old)
        expect(account.endpoints.size).toBe(1)
        expect(await ada.pay(checkout, account)).toMatchObject({ status: 'complete' })
        await ada.fallsDue(sold.subscription)
        expect(await ada.shop.get(`/subscriptions/${sold.subscription}`)).toMatchObject({ payments_count: 2 })
      })

      it('finish a payment that was begun by a connection which was replaced meanwhile', async () => {
        const [before, after] = [stripe.openAccount(), stripe.openAccount()]
        await ada.connect(before)
        const checkout = await ada.begin()
        const [session] = before.bank.sessions.values()
        await Promise.all([ada.connect(after), ada.begin()])
        before.bank.enterCard(session!.id, 'pays')
        await ada.told(before)
        expect(await ada.shop.get(`/checkouts/${checkout.id}`)).toMatchObject({ status: 'complete' })
      })

      it('take no notice of one account or connection about what another was paid by', async () => {
        const [adas, bobs] = [stripe.openAccount(), stripe.openAccount()]
        await both((one) => one.connect(one === ada ? adas : bobs))
        const checkout = await ada.begin()
        const [session] = adas.bank.sessions.values()
        adas.bank.enterCard(session!.id, 'pays')
        const [event] = adas.bank.events.splice(0)
        const { url, secret } = [...bobs.endpoints.values()].at(-1)!
        const own = [...adas.endpoints.values()].at(-1)!
        const post = async (to: string, signedBy: string) => {
          const { body, headers } = stripe.signed(event!, { secret: signedBy })
          return (await fetch(to, { method: 'POST', body, headers })).status
        }
        // It is not found at the account of the other, who may post it again for ever.
        expect(await post(url, secret)).toBe(503)
        expect(first.running.errors.splice(0)).toMatchObject([{ provider: expect.stringMatching(/^pcon_/) }])
        expect(await post(own.url, secret)).toBe(400)
        expect(await post(`${own.url}x`, own.secret)).toBe(404)
        expect(await post(own.url.replace(ada.shop.accountId, bob.shop.accountId), own.secret)).toBe(404)
        await ada.shop.settled()
        expect(await ada.shop.get(`/checkouts/${checkout.id}`)).toMatchObject({ status: 'open' })
        expect(await post(own.url, own.secret)).toBe(200)
        await ada.shop.settled()
        expect(await ada.shop.get(`/checkouts/${checkout.id}`)).toMatchObject({ status: 'complete' })
      })

      it('connected to the same place are told of their own payments alone', async () => {
        const account = stripe.openAccount()
        await both((one) => one.connect(account))
        const checkouts = await both((one) => one.begin())
        for (const { id } of account.bank.sessions.values()) account.bank.enterCard(id, 'pays')
        expect(await ada.told(account)).toEqual(expect.arrayContaining([200]))
        await bob.shop.settled()
        const [adas, bobs] = [
          await ada.shop.get(`/checkouts/${checkouts[0].id}`),
          await bob.shop.get(`/checkouts/${checkouts[1].id}`),
        ]
        expect([adas.status, bobs.status]).toEqual(['complete', 'complete'])
      })

      it('never show a key, and are connected by owners and admins alone', async () => {
        const account = stripe.openAccount()
        const key = stripe.keyOf(account)
        await ada.connect(account, key)
        const settings = await ada.owner.read(paymentSettings)
        expect(JSON.stringify(settings)).not.toContain(key)
        expect(settings.connections.at(-1)).toMatchObject({ key_hint: key.slice(-4), status: 'current' })
        const rows = await ada.shop.db.selectFrom('payment_connections').selectAll().execute()
        expect(JSON.stringify(rows)).not.toContain(key)
        expect(JSON.stringify([first.running.warnings, first.running.errors])).not.toContain(key)
        const log = await ada.shop.db
          .selectFrom('log_entries')
          .selectAll()
          .where('operation', '=', 'connect_payments')
          .execute()
        expect(log.length).toBeGreaterThan(0)
        expect(JSON.stringify(log)).not.toContain(key)
        const [status, body] = await ada.owner.try('POST', '/payment_settings/connections', {
          key: 'sk_test_unknown_1',
        })
        expect([status, Object.keys(body.error.errors)]).toEqual([422, ['key']])
        expect(JSON.stringify(body)).not.toContain('sk_test_unknown_1')
      })
    },
    { STRIPE_API_URL: stripe.url },
  )
})
