import { describe, expect, it } from 'vitest'
import { roundTrips } from '../support/round-trips.ts'
import { pay, priceForSale } from '../support/sell.ts'
import { onEachEngine } from '../support/shop.ts'

describe('Round trips to PostgreSQL', () => {
  onEachEngine((shop) => {
    it('of a paid order and its receipt are at most seven', async () => {
      const price = await priceForSale(shop, { quantity_available: 10 })
      const body = { line_items: [{ price_variant: price.id, quantity: 1 }], email: 'buyer@example.com' }
      const { id } = await shop.post('/checkouts', body)
      const trips = await roundTrips(async () => {
        await pay(shop, id)
        await shop.settled()
      })
      if (shop.running.app.database.engine === 'sqlite') return expect(trips).toEqual(new Map())
      const of = (first: RegExp) => [...trips].find(([text]) => first.test(text))?.[1] ?? Number.NaN
      const [order, receipt] = [of(/from "checkouts"/), of(/^update "jobs" set "state"/)]
      expect({ order, receipt }).toEqual({ order: 3, receipt: 4 })
    })
  })
})
