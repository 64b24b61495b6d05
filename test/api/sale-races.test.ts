import { expect, it } from 'vitest'
import { ApiError } from '../../src/contract/declarations/errors.ts'
import { DECLINED, pay, priceForSale } from '../support/sell.ts'
import { type Body, onEachEngine, type Shop } from '../support/shop.ts'

const BUYERS = 100

onEachEngine(
  (shop) => {
    it('sells a stock of 10 to exactly 10 of 100 buyers', { timeout: 120_000 }, async () => {
      const price = await priceForSale(shop, { amount: 500, quantity_available: 10 })
      const done = await payAll(shop, await openAll(shop, price))
      expect(done).toEqual({ paid: 10, refused: ['line_items.0.price_variant'] })
      expect(await shop.get(`/price_variants/${price.id}`)).toMatchObject({ quantity_available: 0 })
      expect(await shop.listed(`/orders?product=${price.product}&status=succeeded&limit=100`)).toHaveLength(10)
    })

    it('redeems a code with 10 redemptions exactly 10 times', { timeout: 120_000 }, async () => {
      const price = await priceForSale(shop, { amount: 500 })
      const discount = await shop.discount({ percent_off: 50, max_redemptions: 10 })
      const done = await payAll(shop, await openAll(shop, price, { discount_code: discount.code }))
      // To the others the total has changed, which they have not agreed to.
      expect(done).toEqual({ paid: 10, refused: [] })
      expect(await shop.get(`/discounts/${discount.id}`)).toMatchObject({ times_redeemed: 10, status: 'expired' })
      const orders = await shop.get(`/orders?product=${price.product}&limit=100`)
      expect(orders.data.map(({ amount }: Body) => amount)).toEqual(Array(10).fill(250))
    })

    it('keeps what a declined card had reserved for the next buyer', async () => {
      const price = await priceForSale(shop, { amount: 500, quantity_available: 1 })
      const discount = await shop.discount({ percent_off: 50, max_redemptions: 1 })
      const [first, second] = await openAll(shop, price, { discount_code: discount.code }, 2)
      expect(await pay(shop, first!.id, { card: DECLINED })).toMatchObject({ status: 'open', order: null })
      expect(await pay(shop, second!.id)).toMatchObject({ status: 'complete', total: 250 })
      const failed = await shop.get(`/orders?product=${price.product}&status=failed&expand=charge`)
      expect(failed.data).toMatchObject([{ charge: { status: 'failed', failure_message: expect.any(String) } }])
    })

    it('takes the money of one checkout once, however often its buyer asks', async () => {
      const price = await priceForSale(shop, { amount: 500 })
      const [open] = await openAll(shop, price, {}, 1)
      const tries = await Promise.allSettled(Array.from({ length: 16 }, () => pay(shop, open!.id)))
      expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
      expect(await shop.listed(`/orders?product=${price.product}`)).toHaveLength(1)
    })
  },
  { RATE_LIMIT_BURST: '100000' },
)

function openAll(shop: Shop, price: Body, more: object = {}, count = BUYERS): Promise<Body[]> {
  const line_items = [{ price_variant: price.id }]
  const buyers = Array.from({ length: count }, (_, index) => `${price.id}-${index}@example.com`)
  return Promise.all(buyers.map((email) => shop.post('/checkouts', { line_items, email, ...more })))
}

/** How many paid, and the fields over which others were refused. */
async function payAll(shop: Shop, checkouts: Body[]): Promise<{ paid: number; refused: string[] }> {
  const tries = await Promise.allSettled(checkouts.map(({ id }) => pay(shop, id)))
  const paid = tries.filter((one) => one.status === 'fulfilled' && one.value.status === 'complete').length
  const reasons = tries.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
  const fields = reasons.map((reason) =>
    reason instanceof ApiError ? Object.keys(reason.details.errors ?? {}).join() : String(reason),
  )
  return { paid, refused: [...new Set(fields)] }
}
