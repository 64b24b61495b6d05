import { expect, it } from 'vitest'
import { rehearse } from '../../support/rehearsal.ts'
import { priceForSale, sell } from '../../support/sell.ts'
import { type Body, onEachEngine } from '../../support/shop.ts'

const RATES = [
  { country: 'DE', percent: 19, inclusive: true },
  { country: 'FR', percent: 7.25, inclusive: false },
]
const AMOUNTS = [1, 2, 333, 500, 777, 1001, undefined]

onEachEngine((shop) => {
  it.each(['DE', 'FR'])(
    'Refunds that are made at once return exactly the whole tax of a sale to %s',
    async (country) => {
      const { shop: seller } = await rehearse(shop)
      await seller.patch('/account', { tax_rates: RATES })
      const prices = [await priceForSale(seller, { amount: 1999 }), await priceForSale(seller, { amount: 7 })]
      const items = prices.map(({ id }) => ({ price_variant: id, quantity: 3 }))
      const { id: order, amount, amount_tax } = await sell(seller, items, { checkout: { country } })
      const statuses = await Promise.all(
        AMOUNTS.map(async (part) => (await seller.api('POST', '/refunds', { order, amount: part })).status),
      )
      expect([...new Set(statuses)].filter((status) => ![201, 400, 422].includes(status))).toEqual([])
      await seller.settled()
      const left = await seller.get(`/orders/${order}`)
      if (left.status !== 'refunded') await seller.post('/refunds', { order })
      const { data } = await seller.get(`/refunds?order=${order}`)
      const sum = (name: string) => data.reduce((all: number, one: Body) => all + one[name], 0)
      expect([sum('amount'), sum('amount_tax')]).toEqual([amount, amount_tax])
      for (const { amount, amount_tax } of data) expect(amount_tax).toBeLessThanOrEqual(amount)
      const after = await seller.get(`/orders/${order}?expand=line_items`)
      expect(after).toMatchObject({ status: 'refunded', amount_refunded: amount, amount_tax_refunded: amount_tax })
      for (const line of after.line_items) expect(line.amount_tax_refunded).toBe(line.amount_tax)
    },
  )
})
