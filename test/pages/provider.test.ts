import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type EngineName, gateEngines } from '../support/app.ts'
import { priceForSale } from '../support/sell.ts'
import { type Body, Shop } from '../support/shop.ts'
import { StripeServer } from '../support/stripe-server.ts'
import { Visitor } from './visitor.ts'

describe.each(gateEngines.filter(({ available }) => available))(
  'Paying on the page of a provider, on $name',
  ({ name }) => {
    const stripe = new StripeServer()
    const shop = new Shop()
    beforeAll(async () => {
      await stripe.open()
      await shop.open(name as EngineName, stripe.settings)
    })
    afterAll(async () => {
      await shop.close()
      await stripe.close()
    })

    const opened = async (more: object = {}): Promise<Body> => {
      const price = await priceForSale(shop, { amount: 2900 })
      return shop.post('/checkouts', { line_items: [{ price_variant: price.id }], email: 'ada@example.com', ...more })
    }
    const statusOf = async (checkout: Body) => (await shop.get(`/checkouts/${checkout.id}`)).status
    /** The buyer's browser, sent to the provider. */
    const sent = async (checkout: Body) => {
      const buyer = new Visitor(shop.running.url)
      const page = await buyer.open(checkout.url)
      expect([page.fields.card, page.text.includes('Test mode')]).toEqual([undefined, false])
      const waiting = await buyer.press(page, 'pay')
      const [, url] = /^0; url=(.+)$/.exec(waiting.headers.get('refresh') ?? '') ?? []
      const session = [...stripe.bank.sessions.values()].at(-1)!
      expect(url).toBe(session.url)
      return { buyer, session, waiting }
    }

    it('sends the buyer there, and knows of the payment when the buyer is back before the notice', async () => {
      const checkout = await opened({ success_url: 'https://shop.example/thanks' })
      const { buyer, session } = await sent(checkout)
      stripe.bank.enterCard(session.id, 'pays')
      expect(await statusOf(checkout)).toBe('open')
      const back = await buyer.open(session.success_url!)
      expect(back.text).toContain('Thank you for your order')
      expect(back.headers.get('refresh')).toBe('0; url=https://shop.example/thanks')
      expect(await statusOf(checkout)).toBe('complete')
    })

    it('sends nobody there by a page that shows another order than it is now', async () => {
      const price = await priceForSale(shop, { amount: 2900 })
      const link = await shop.post('/checkout_links', { price_variants: [price.id] })
      const checkout = await opened()
      for (const { url, change } of [
        { url: link.url, change: () => shop.patch(`/price_variants/${price.id}`, { amount: 9900 }) },
        {
          url: checkout.url,
          change: () =>
            shop.patch(`/checkouts/${checkout.id}`, { line_items: [{ price_variant: price.id, quantity: 3 }] }),
        },
      ]) {
        const buyer = new Visitor(shop.running.url)
        const page = await buyer.open(url)
        const { size } = stripe.bank.sessions
        await change()
        const asked = await buyer.post(page, 'pay', { email: 'ada@example.com' })
        expect([asked.status, asked.text]).toEqual([409, expect.stringContaining('Nothing was charged yet')])
        expect(stripe.bank.sessions.size).toBe(size)
        const waiting = await buyer.press(asked, 'pay', { email: 'ada@example.com' })
        expect(waiting.text).toContain('Finish paying for your order')
        expect(stripe.bank.sessions.size).toBe(size + 1)
      }
    })

    it('shows a payment in progress to whoever opens the page again, without sending them on', async () => {
      const checkout = await opened()
      const { session } = await sent(checkout)
      const page = await new Visitor(shop.running.url).open(checkout.url)
      expect([page.status, page.headers.get('refresh')]).toEqual([200, null])
      expect(page.text).toContain('Finish paying for your order')
      expect(page.html).toContain(`href="${session.url!.replaceAll('&', '&amp;')}"`)
      expect(page.buttons).toEqual(['take_back'])
    })

    it('gives the order back to a buyer who turned back', async () => {
      const checkout = await opened()
      const { buyer, session } = await sent(checkout)
      const back = await buyer.open(session.cancel_url!)
      expect([back.status, back.headers.get('location')]).toEqual([
        303,
        `/checkout/${checkout.client_secret}?turned_back`,
      ])
      const page = await buyer.follow(back.headers.get('location')!)
      expect(page.text).toContain('You came back without paying. Nothing was charged.')
      expect(page.buttons).toContain('pay')
      expect(stripe.bank.sessions.get(session.id)!.status).toBe('expired')
      const second = await sent(checkout)
      stripe.bank.enterCard(second.session.id, 'pays')
      await buyer.open(second.session.success_url!)
      expect(await statusOf(checkout)).toBe('complete')
    })

    it('takes back a payment in progress on request, but never one that is made', async () => {
      const checkout = await opened()
      const { buyer, session, waiting } = await sent(checkout)
      stripe.bank.enterCard(session.id, 'pays')
      const page = await buyer.press(waiting, 'take_back')
      expect(page.text).toContain('Thank you for your order')
      const other = await opened()
      const again = await sent(other)
      expect((await again.buyer.press(again.waiting, 'take_back')).buttons).toContain('pay')
      expect(await statusOf(other)).toBe('open')
    })

    it('believes nobody who only says that the payment is made', async () => {
      const checkout = await opened()
      const { buyer } = await sent(checkout)
      const page = await buyer.open(`${checkout.url}?payment=done`)
      expect(page.text).toContain('Checking your payment')
      expect(page.headers.get('refresh')).toBe('3')
      expect(await statusOf(checkout)).toBe('open')
    })

    it('says that a payment is being processed while the provider is silent', async () => {
      const checkout = await opened()
      stripe.breaks(...Array(5).fill('unavailable'))
      const buyer = new Visitor(shop.running.url)
      const page = await buyer.press(await buyer.open(checkout.url), 'pay')
      expect(page.text).toContain('Your payment is being processed')
      expect(page.headers.get('refresh')).toBe('3')
      expect(page.action).toBe(null)
      expect(shop.running.errors.splice(0)).toMatchObject([{ job: 'payment.collect' }])
    })
  },
)
