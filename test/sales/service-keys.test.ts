import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { paymentSettings } from '../../src/resources/dashboard/payment-settings/settings.ts'
import { Visitor } from '../pages/visitor.ts'
import { ownerOf } from '../support/dashboard.ts'
import { priceForSale } from '../support/sell.ts'
import { type Body, onGateEngine, type Shop } from '../support/shop.ts'
import { StripeServer } from '../support/stripe-server.ts'

const stripe = await new StripeServer().open()
afterAll(() => stripe.close())

/** Reads from the settings of an account who takes its cards. */
const takenBy = async (shop: Shop) => (await (await ownerOf(shop)).read(paymentSettings)).taken_by

async function begun(shop: Shop): Promise<Body> {
  const price = await priceForSale(shop, { amount: 500 })
  const cart = { line_items: [{ price_variant: price.id }], email: 'ada@example.com' }
  const checkout = await shop.post('/checkouts', cart)
  const buyer = new Visitor(shop.running.url)
  return { ...checkout, page: await buyer.press(await buyer.open(checkout.url), 'pay') }
}

describe('The keys of the service', () => {
  onGateEngine(
    (shop) => {
      it('serve the only live account, which keeps them once it has charged through them', async () => {
        expect(await takenBy(shop)).toBe('service')
        const other = shop.as(await shop.running.another('second'))
        expect([await takenBy(shop), await takenBy(other)]).toEqual(['nobody', 'nobody'])
        await shop.set('accounts', other.accountId, { test: 1 })
        await begun(shop)
        expect(stripe.bank.sessions.size).toBe(1)
        await shop.set('accounts', other.accountId, { test: 0 })
        expect([await takenBy(shop), await takenBy(other)]).toEqual(['service', 'nobody'])
      })

      it('serve it no longer once it has connected its own', async () => {
        const owner = await ownerOf(shop)
        const account = stripe.openAccount()
        await owner.post('/payment_settings/connections', { key: stripe.keyOf(account) })
        expect(await takenBy(shop)).toBe('connection')
        const { connections } = await owner.read(paymentSettings)
        await owner.post(`/payment_settings/connections/${connections[0]!.id}/remove`)
        expect(await takenBy(shop)).toBe('nobody')
      })

      it('leave an account without a connection unable to take cards, which its page and the dashboard say', async () => {
        const other = shop.as(await shop.running.another('third'))
        const checkout = await begun(other)
        expect(checkout.processor).toBe('card')
        expect(checkout.page.text).toContain('This shop cannot take card payments right now. Please come back later.')
        expect(checkout.page.buttons).not.toContain('approve')
        const trial = { billing_type: 'subscription', recurring_interval: 'month', trial_period_days: 7 }
        const { id } = await priceForSale(other, { amount: 500, ...trial })
        const cart = { line_items: [{ price_variant: id }], email: 'ada@example.com' }
        expect(await other.post('/checkouts', cart)).toMatchObject({ status: 'open', total: 0 })
      })
    },
    { ...stripe.settings, SIMULATED_PROVIDERS: 'false' },
  )
})

describe('The account that OPERATOR_ACCOUNT names', () => {
  let shop: Shop
  onGateEngine(
    (running) => {
      beforeAll(() => {
        shop = running
      })
      it('has the keys of the service, and no other', async () => {
        expect(await takenBy(shop)).toBe('nobody')
      })
    },
    { ...stripe.settings, SIMULATED_PROVIDERS: 'false', OPERATOR_ACCOUNT: 'acct_01k9z6v8q2f3x7c5m1n4b0r8ta' },
  )
})
