import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { priceForSale } from '../support/sell.ts'
import { Shop } from '../support/shop.ts'
import { StripeServer } from '../support/stripe-server.ts'

describe('Where Stripe takes the payments', () => {
  let stripe: StripeServer
  const shop = new Shop()
  beforeAll(async () => {
    stripe = await new StripeServer().open()
    await shop.open('sqlite', stripe.settings)
  })
  afterAll(async () => {
    await shop.close()
    await stripe.close()
  })

  it('completes what costs nothing, now or later, without asking it', async () => {
    const free = await priceForSale(shop, { amount_type: 'free', amount: 0 })
    const lowered = await priceForSale(shop, { amount: 500 })
    const { code } = await shop.discount({ percent_off: 100 })
    for (const cart of [
      { line_items: [{ price_variant: free.id }] },
      { line_items: [{ price_variant: lowered.id }], discount_code: code },
    ]) {
      const checkout = await shop.post('/checkouts', { ...cart, email: 'ada@example.com' })
      expect(checkout).toMatchObject({ status: 'complete', total: 0, processor: 'none' })
      const order = await shop.get(`/orders/${checkout.order}`)
      expect(order).toMatchObject({ status: 'succeeded', amount: 0, charge: null, processor: 'none' })
    }
    expect(stripe.received).toEqual([])
  })

  it('leaves a trial open until a card is entered', async () => {
    const trial = { billing_type: 'subscription', recurring_interval: 'month', trial_period_days: 14 }
    const { id } = await priceForSale(shop, { amount: 500, ...trial })
    const open = { line_items: [{ price_variant: id }], email: 'ada@example.com' }
    expect(await shop.post('/checkouts', open)).toMatchObject({ status: 'open', total: 0, processor: 'card' })
  })
})
