import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { paymentSettings } from '../../src/resources/dashboard/payment-settings/settings.ts'
import { Visitor } from '../pages/visitor.ts'
import { ConnectedShop } from '../support/connected.ts'
import { memberOf } from '../support/dashboard.ts'
import { onEachEngine } from '../support/shop.ts'
import { StripeServer } from '../support/stripe-server.ts'

const stripe = await new StripeServer().open()
afterAll(() => stripe.close())
const DAY_MS = 24 * 60 * 60 * 1000
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString()

describe('A connection whose key Stripe no longer takes', () => {
  onEachEngine(
    (shop) => {
      let ada: ConnectedShop
      beforeAll(async () => {
        ada = await new ConnectedShop(shop, stripe).open()
      })
      const subscription = (id: string) => shop.get(`/subscriptions/${id}`)
      const letters = async () =>
        (await shop.db.selectFrom('emails').select(['to', 'subject']).execute()).filter(({ subject }) =>
          subject.includes('no longer takes your key'),
        )
      /** A subscription by a key of an account, which ends with it. */
      const subscribed = async (card: 'pays' | 'fails_later' = 'pays') => {
        const account = stripe.openAccount()
        const key = stripe.keyOf(account)
        const connection = await ada.connect(account, key)
        const { subscription: id } = await ada.sell(account, ada.monthly, card)
        return { account, key, connection, id }
      }

      /** Lets the jobs of a name that wait for a key be tried at once. */
      const waitingAreDue = async (name: string) => {
        const waiting = shop.db.selectFrom('jobs').select('id').where('name', '=', name).where('state', '=', 'waiting')
        for (const { id } of await waiting.execute()) await shop.set('jobs', id, { run_at: '2026-01-01T00:00:00.000Z' })
      }

      it('holds renewals without a try, tells the team once, and lets them go on with a new key', async () => {
        await memberOf(shop, 'admin')
        await memberOf(shop, 'support')
        const [one, orders] = [await subscribed(), async (id: string) => shop.get(`/orders?subscription=${id}`)]
        const { subscription: other } = await ada.sell(one.account, ada.monthly)
        stripe.endKey(one.key)
        await ada.fallsDue(one.id)
        await ada.fallsDue(other)
        for (const id of [one.id, other])
          expect(await subscription(id)).toMatchObject({
            ...{ status: 'active', failed_payments_count: 0, last_payment_error: null, next_payment_attempt_at: null },
            held_since: expect.any(String),
          })
        await shop.settled()
        expect((await letters()).length).toBe(2)
        expect((await orders(one.id)).data.map(({ status }: { status: string }) => status)).toEqual([
          'failed',
          'succeeded',
        ])
        expect((await orders(other)).data.length).toBe(1)
        await ada.fallsDue(one.id)
        expect((await orders(one.id)).data.length).toBe(2)
        expect(await ada.connect(one.account)).toBe(one.connection)
        for (const id of [one.id, other]) {
          await ada.fallsDue(id)
          await ada.told(one.account)
          expect(await subscription(id)).toMatchObject({ status: 'active', payments_count: 2, held_since: null })
        }
      })

      it('moves the dates of the dunning by the time that renewals have waited', async () => {
        const { account, key, id } = await subscribed('fails_later')
        await ada.fallsDue(id)
        expect(await subscription(id)).toMatchObject({ status: 'past_due', failed_payments_count: 1 })
        const link = () =>
          shop.db
            .selectFrom('checkouts')
            .selectAll()
            .where('subscription', '=', id)
            .orderBy('id', 'desc')
            .executeTakeFirstOrThrow()
        await expect.poll(link).toMatchObject({ status: 'open' })
        await shop.set('subscriptions', id, { unpaid_since: daysAgo(3) })
        await shop.set('checkouts', (await link()).id, { expires_at: daysAgo(-27) })
        stripe.endKey(key)
        await ada.fallsDue(id)
        expect(await subscription(id)).toMatchObject({ status: 'past_due', failed_payments_count: 1 })
        await shop.set('subscriptions', id, { held_since: daysAgo(2) })
        await ada.connect(account)
        await ada.fallsDue(id)
        const { unpaid_since } = await ada.rowOf(id)
        const { status, expires_at } = await link()
        expect([status, Date.parse(expires_at) >= Date.parse(unpaid_since!) + 30 * DAY_MS]).toEqual(['open', true])
        expect(Math.round((Date.now() - Date.parse(unpaid_since!)) / DAY_MS)).toBe(1)
        const { failed_payments_count, held_since, next_payment_attempt_at } = await subscription(id)
        expect([failed_payments_count, held_since]).toEqual([2, null])
        expect(Math.round((Date.parse(next_payment_attempt_at) - Date.now()) / DAY_MS)).toBe(2)
      })

      it('stops new sales with a sentence for the buyer, and another for the merchant', async () => {
        const { key } = await subscribed()
        stripe.endKey(key)
        const checkout = await ada.begin()
        const page = await new Visitor(shop.running.url).open(checkout.url)
        expect(page.text).toContain('This shop cannot take card payments right now. Please come back later.')
        expect(page.buttons).not.toContain('approve')
        const { taken_by, reason } = await ada.owner.read(paymentSettings)
        expect([taken_by, reason]).toEqual([
          'nobody',
          'The payment provider no longer takes your key, so buyers cannot pay by card.',
        ])
        const free = await shop.post('/checkouts', {
          line_items: [
            {
              price_variant: (
                await shop.price((await shop.product({ status: 'active' })).id, { amount_type: 'free', amount: 0 })
              ).id,
            },
          ],
          email: 'free@example.com',
        })
        expect(free).toMatchObject({ status: 'complete' })
      })

      it('refuses refunds until a key works again', async () => {
        const { account, key } = await subscribed()
        const { order } = await ada.sell(account)
        stripe.endKey(key)
        await shop.post('/refunds', { order, amount: 100 })
        await shop.settled()
        const refunds = async () => (await shop.get(`/refunds?order=${order}`)).data
        expect(await refunds()).toMatchObject([{ status: 'pending' }])
        expect(await shop.refusal('POST', '/refunds', { order, amount: 100 })).toEqual([400, 'invalid_state'])
        await ada.connect(account)
        await waitingAreDue('refund.send')
        await expect.poll(refunds).toMatchObject([{ status: 'succeeded' }])
      })

      it('lets answers to disputes wait until a key works again, and refuses them once it is deleted', async () => {
        const { account, connection, key } = await subscribed()
        const disputed = async (): Promise<string> => {
          await ada.sell(account)
          const intent = [...account.bank.intents.keys()].at(-1)!
          account.bank.dispute(intent, 'needs_response')
          await ada.told(account)
          return (await ada.owner.get('/disputes', { limit: 1 })).data[0].id
        }
        const [one, other] = [await disputed(), await disputed()]
        const answer = (id: string) => ada.owner.try('POST', `/disputes/${id}/answer`, { answer: 'It was delivered.' })
        stripe.endKey(key)
        expect((await answer(one))[0]).toBe(200)
        await shop.settled()
        expect(await ada.owner.get(`/disputes/${one}`)).toMatchObject({
          provider: 'Stripe',
          response_status: 'sending',
        })
        expect(await answer(other)).toMatchObject([
          400,
          { error: { message: expect.stringMatching(/takes the key of/) } },
        ])
        await ada.connect(account)
        await waitingAreDue('dispute.respond')
        await expect
          .poll(() => ada.owner.get(`/disputes/${one}`))
          .toMatchObject({ status: 'under_review', response_status: 'sent' })
        const path = `/payment_settings/connections/${connection}`
        await ada.owner.post(`${path}/remove`)
        expect((await ada.owner.try('DELETE', path))[0]).toBe(200)
        expect(await answer(other)).toMatchObject([
          400,
          { error: { message: expect.stringMatching(/was deleted\. Answer the dispute at Stripe\.$/) } },
        ])
      })

      it('that is removed holds renewals and refunds on, and with its key everything ends', async () => {
        const { account, connection, id } = await subscribed()
        const { order } = await ada.sell(account)
        const path = `/payment_settings/connections/${connection}`
        expect(await ada.connectionOf(connection)).toMatchObject({ subscriptions: 1 })
        await Promise.all([ada.owner.post(`${path}/remove`), ada.fallsDue(id)])
        await ada.told(account)
        const { payments_count } = await subscription(id)
        await ada.fallsDue(id)
        expect(await subscription(id)).toMatchObject({ payments_count, held_since: expect.any(String) })
        await shop.post('/refunds', { order, amount: 100 })
        await shop.settled()
        await ada.told(account)
        expect(await shop.get(`/orders/${order}`)).toMatchObject({ amount_refunded: 100 })
        expect(account.endpoints.size).toBe(1)
        expect((await ada.owner.try('DELETE', path))[0]).toBe(200)
        expect(account.endpoints.size).toBe(0)
        expect(await shop.refusal('POST', '/refunds', { order, amount: 100 })).toEqual([400, 'invalid_state'])
        const row = await shop.db
          .selectFrom('payment_connections')
          .selectAll()
          .where('id', '=', connection)
          .executeTakeFirstOrThrow()
        expect(row).toMatchObject({ status: 'deleted', sealed_key: null, sealed_notices_secrets: null })
        expect(await ada.connect(account)).toBe(connection)
        await ada.fallsDue(id)
        await ada.told(account)
        expect(await subscription(id)).toMatchObject({ payments_count: payments_count + 1, held_since: null })
      })
    },
    { STRIPE_API_URL: stripe.url },
  )
})
