import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { paymentSettings } from '../../src/resources/dashboard/payment-settings/settings.ts'
import { ConnectedShop } from '../support/connected.ts'
import { fieldsOf, type Person, signIn } from '../support/person.ts'
import { onGateEngine } from '../support/shop.ts'
import { StripeServer } from '../support/stripe-server.ts'
import { words } from '../support/words.ts'

const PAGE = '/dashboard/my-shop/settings/payments'
const stripe = await new StripeServer().open()
afterAll(() => stripe.close())

onGateEngine(
  (shop) => {
    describe('The settings of payments', () => {
      let owner: Person
      let ada: ConnectedShop
      beforeAll(async () => {
        owner = await signIn(shop.running)
        ada = await new ConnectedShop(shop, stripe).open()
      })
      const shownAt = async (path: string) => words((await owner.get(path)).html)
      /** Sends the form of a page by its only button. */
      const send = async (page: string, to: string, fields: Record<string, string> = {}) => {
        const { html } = await owner.get(page)
        return owner.post(to, { ...fieldsOf(html, to), ...fields })
      }

      it('say on every page that no money moves while nothing is connected', async () => {
        const text = 'No payment provider is connected, so buyers cannot pay by card.'
        expect(await shownAt(PAGE)).toContain(text)
        for (const path of ['', '/orders', '/reports', '/settings/tax'])
          expect(await shownAt(`/dashboard/my-shop${path}`)).toContain('Buyers cannot pay by card')
      })

      it('take a key that works, and never show it or one that does not', async () => {
        const account = stripe.openAccount({ name: 'Ada’s Books' })
        const key = stripe.keyOf(account)
        const wrong = await send(PAGE, PAGE, { key: `${key}x` })
        expect([wrong.status, words(wrong.html)]).toEqual([422, expect.stringContaining('Key was refused.')])
        expect(wrong.html).not.toContain(key)
        expect((await send(PAGE, PAGE, { key })).status).toBe(303)
        const { html } = await owner.get(PAGE)
        expect(html).not.toContain(key)
        expect(words(html)).toContain('Buyers pay at Stripe in its test mode, so no money moves.')
        for (const fact of [
          'Stripe: Ada’s Books',
          'Takes new payments',
          `…${key.slice(-4)}`,
          'Cards, Apple Pay and Google Pay',
        ])
          expect(words(html)).toContain(fact)
        expect(await shownAt('/dashboard/my-shop/orders')).toContain('Test mode')
      })

      it('say that a key is refused, and work again once it is', async () => {
        const account = stripe.openAccount()
        const key = stripe.keyOf(account)
        const id = await ada.connect(account, key)
        stripe.endKey(key)
        await send(PAGE, `${PAGE}/${id}/check`)
        expect(await shownAt(PAGE)).toContain('The payment provider no longer takes your key')
        expect(await shownAt('/dashboard/my-shop')).toContain('Payments have stopped')
        await send(PAGE, PAGE, { key: stripe.keyOf(account) })
        expect(await shownAt(PAGE)).not.toContain('Out of order')
      })

      it('remove a connection in two steps, each of which says what it does', async () => {
        const account = stripe.openAccount()
        const id = await ada.connect(account)
        await ada.sell(account, ada.monthly)
        const page = `${PAGE}/${id}/remove`
        expect(await shownAt(page)).toContain('Charges of 1 subscription wait until you connect the same account again')
        await send(page, page)
        expect(await shownAt(PAGE)).toContain('Removed: renewals wait, refunds and disputes go on')
        expect(await shownAt(page)).toContain('Earlier sales can only be refunded at Stripe itself')
        expect(account.endpoints.size).toBe(1)
        await send(page, page)
        expect(account.endpoints.size).toBe(0)
        const ids = (await ada.owner.read(paymentSettings)).connections.map(({ id }) => id)
        expect(ids).not.toContain(id)
        expect((await owner.get(page)).status).toBe(404)
      })
    })
  },
  { STRIPE_API_URL: stripe.url, SIMULATED_PROVIDERS: 'false' },
)

const platform = await new StripeServer().open()
afterAll(() => platform.close())

onGateEngine(
  (shop) => {
    it('Accounts at Stripe that the service makes take payments once their owner has entered everything', async () => {
      const owner = await signIn(shop.running)
      const ada = await new ConnectedShop(shop, platform).open()
      const { html } = await owner.get(PAGE)
      const to = `${PAGE}/onboarding`
      const sent = await owner.post(to, fieldsOf(html, to))
      expect(sent.headers.get('refresh')).toMatch(/^0; url=http/)
      const connection = await shop.db.selectFrom('payment_connections').selectAll().executeTakeFirstOrThrow()
      expect(connection).toMatchObject({ status: 'onboarding', access: 'platform' })
      const account = platform.account(connection.provider_account)
      const taken = async () => (await ada.owner.read(paymentSettings)).taken_by
      await owner.get(`${PAGE}/${connection.id}/onboarded`)
      expect(await taken()).toBe('service')
      account.completes()
      await owner.get(`${PAGE}/${connection.id}/onboarded`)
      expect(await taken()).toBe('connection')
      const checkout = await ada.begin()
      const [session] = account.bank.sessions.values()
      account.bank.enterCard(session!.id, 'pays')
      await platform.notifyPlatform(`${shop.running.url}/payments/stripe/connect/notices`)
      await shop.settled()
      expect(await shop.get(`/checkouts/${checkout.id}`)).toMatchObject({ status: 'complete' })
      account.disconnects()
      await platform.notifyPlatform(`${shop.running.url}/payments/stripe/connect/notices`)
      await shop.settled()
      expect(await taken()).toBe('nobody')
    })
  },
  { ...platform.settings, ...platform.platformSettings },
)
