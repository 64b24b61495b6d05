import { describe, expect, it } from 'vitest'
import { openLink, openPrice } from '../support/opening.ts'
import { pay, priceForSale } from '../support/sell.ts'
import { type Body, onEachEngine } from '../support/shop.ts'

const PAST = '2020-01-01T00:00:00Z'
const SECOND_STEP = '4000002500003155'

onEachEngine((shop) => {
  describe('A code that can no longer be used', () => {
    const begun = async (code: Body, price: Body) => {
      const made = await shop.post('/checkout_links', { price_variants: [price.id], discount: code.id })
      const open = await openLink(shop, made.id)
      return shop.patch(`/checkouts/${open.id}`, { email: 'late@example.com' })
    }

    it('is taken off when payment starts, and nothing is charged before the buyer agrees to the new total', async () => {
      const price = await priceForSale(shop, { amount: 1000 })
      const spoiled = [
        { redeem_by: PAST },
        { switched: 'inactive' },
        { starts_at: '2099-01-01T00:00:00Z' },
        { max_redemptions: 1, times_redeemed: 1 },
      ]
      for (const values of spoiled) {
        const code = await shop.discount({ percent_off: 25 })
        const open = await begun(code, price)
        expect(open).toMatchObject({ total: 750 })
        await shop.set('discounts', code.id, values)
        const events = await shop.eventsOf(async () => {
          expect(await pay(shop, open.id)).toMatchObject({ status: 'open', total: 1000, discount: null, order: null })
        })
        expect(events.map(({ type }) => type)).not.toContain('order.created')
        const paid = await pay(shop, open.id)
        expect(await shop.get(`/orders/${paid.order}`)).toMatchObject({ amount: 1000, discount: null })
      }
    })

    it('is taken off when it was deleted', async () => {
      const code = await shop.discount({ percent_off: 25 })
      const open = await begun(code, await priceForSale(shop, { amount: 1000 }))
      await shop.delete(`/discounts/${code.id}`)
      expect(await pay(shop, open.id)).toMatchObject({ status: 'open', total: 1000 })
      expect(await pay(shop, open.id)).toMatchObject({ status: 'complete' })
    })

    it('changes the total when its terms change', async () => {
      const code = await shop.discount({ percent_off: 25 })
      const open = await begun(code, await priceForSale(shop, { amount: 1000 }))
      await shop.patch(`/discounts/${code.id}`, { percent_off: 50 })
      expect(await pay(shop, open.id, { agreedTotal: 750 })).toMatchObject({ status: 'open', total: 500 })
      expect(await pay(shop, open.id, { agreedTotal: 500 })).toMatchObject({ status: 'complete' })
    })

    it('stays while a payment holds its last redemption, which nobody else gets', async () => {
      const code = await shop.discount({ percent_off: 25, max_redemptions: 1 })
      const price = await priceForSale(shop, { amount: 1000 })
      const [first, second] = [await begun(code, price), await begun(code, price)]
      await pay(shop, first.id, { card: SECOND_STEP })
      await expect(pay(shop, second.id)).rejects.toMatchObject({
        details: { errors: { discount_code: ['has been used up'] } },
      })
      expect(await shop.refusal('DELETE', `/discounts/${code.id}`)).toEqual([400, 'resource_in_use'])
      expect(await shop.patch(`/checkouts/${second.id}`, { discount_code: null })).toMatchObject({ total: 1000 })
      expect(await pay(shop, second.id)).toMatchObject({ status: 'complete' })
    })

    it('leaves prices, fees and trials of the checkout as they were', async () => {
      const price = await priceForSale(shop, { amount: 1000 })
      const open = await openPrice(shop, price.id)
      await shop.patch(`/checkouts/${open.id}`, { email: 'kept@example.com' })
      await shop.patch(`/price_variants/${price.id}`, { amount: 5000 })
      const paid = await pay(shop, open.id)
      expect(await shop.get(`/orders/${paid.order}`)).toMatchObject({ amount: 1000 })
    })
  })
})
