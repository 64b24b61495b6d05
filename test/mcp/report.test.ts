import { describe, expect, it } from 'vitest'
import { ownerOf } from '../support/dashboard.ts'
import { priceForSale, sell } from '../support/sell.ts'
import { onEachEngine } from '../support/shop.ts'
import { execute } from '../tasks/support.ts'

describe('The report of a program', () => {
  onEachEngine((shop) => {
    it('is that of the dashboard, to the cent', async () => {
      const price = await priceForSale(shop, { amount: 1999 }, { name: 'Handbook' })
      const order = await sell(shop, [{ price_variant: price.id, quantity: 2 }])
      await shop.post('/refunds', { order: order.id, amount: 333 })
      const { result } = await execute(shop, 'report(by: "product", compare: "none")')
      expect(result).toEqual(await (await ownerOf(shop)).get('/reports', { by: 'product', compare: 'none' }))
      expect(result.currencies[0].rows).toMatchObject([{ name: 'Handbook', gross: 3998, refunds: 333, net: 3665 }])
    })

    it('sees what the program itself has refunded, and says what was wrong with its days', async () => {
      const price = await priceForSale(shop, { amount: 700, currency: 'eur' })
      const order = await sell(shop, [{ price_variant: price.id }])
      const net = 'report["currencies"].find { |one| one["currency"] == "eur" }["total"]["net"]'
      const program = `before = ${net}; post("/refunds", order: "${order.id}", amount: 200); [before, ${net}]`
      expect((await execute(shop, program)).result).toEqual([700, 500])
      const { error } = await execute(shop, 'report(from: "2026-02-30")["from"]')
      expect(JSON.stringify(error)).toContain('not a valid date')
    })
  })
})
