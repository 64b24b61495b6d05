import { beforeAll, describe, expect, it } from 'vitest'
import { overview } from '../../../src/resources/dashboard/overview/overview.ts'
import type { Range } from '../../../src/resources/dashboard/overview/period.ts'
import { ownerOf } from '../../support/dashboard.ts'
import { priceForSale, sell } from '../../support/sell.ts'
import type { Body, Shop } from '../../support/shop.ts'
import { onGateEngine } from '../../support/shop.ts'
import { chance, dayIn, monthIn, type Order, randomOrders } from './overview-model.ts'

async function overviewOf(shop: Shop, range: Range = '30d') {
  return (await ownerOf(shop)).read(overview, range, [])
}

const ZONES = ['UTC', 'Europe/Berlin', 'America/St_Johns', 'Asia/Kathmandu', 'Pacific/Auckland']
const RANGES: readonly [Range, number][] = [
  ['7d', 7],
  ['30d', 30],
  ['12m', 12],
]

describe('The overview of an account', () => {
  onGateEngine((shop) => {
    let orders: Order[]

    beforeAll(async () => {
      orders = randomOrders(400)
      const { id: customer } = await shop.customer()
      for (const order of orders) await insertOrder(shop, customer, order)
    })

    it.each(ZONES)('counts what a simple model counts, day by day and month by month, in %s', async (timezone) => {
      await shop.patch('/account', { timezone })
      for (const [range, count] of RANGES) {
        const found = await overviewOf(shop, range)
        const keyOf = found.interval === 'day' ? dayIn(timezone) : monthIn(timezone)
        expect(found.starts).toHaveLength(count)
        // Every start is the first second of its day or month.
        for (const start of [...found.starts, found.before_from]) {
          const second = Date.parse(start)
          expect([start, keyOf(second - 1000) === keyOf(second)]).toEqual([start, false])
        }
        for (const sales of found.sales) {
          const own = orders.filter(({ currency }) => currency === sales.currency)
          const expected = found.starts.map((start) => {
            const key = keyOf(Date.parse(start))
            return sumsOf(own.filter(({ paidAt }) => keyOf(paidAt) === key))
          })
          expect([timezone, range, sales.currency, sales.points]).toEqual([timezone, range, sales.currency, expected])
          const [from, until] = [Date.parse(found.before_from), Date.parse(found.before_until)]
          expect(sales.before).toEqual(sumsOf(own.filter(({ paidAt }) => paidAt >= from && paidAt < until)))
          expect(sales.now).toEqual(sumsOf(own.filter(({ paidAt }) => paidAt >= Date.parse(found.starts[0]!))))
        }
      }
    })

    it('has the net revenue and the orders of the report of the same days', async () => {
      const { sales, starts } = await overviewOf(shop, '30d')
      const { timezone } = await shop.get('/account')
      const from = dayIn(timezone)(Date.parse(starts[0]!))
      const { currencies } = await (await ownerOf(shop)).get('/reports', { from })
      expect(sales.length).toBeGreaterThan(1)
      for (const { currency, now } of sales) {
        const { total } = currencies.find((one: Body) => one.currency === currency)
        expect([currency, now.revenue, now.orders]).toEqual([currency, total.net, total.orders])
      }
    })

    it('never adds up several currencies, and shows that of the account first', async () => {
      const { default_currency } = await shop.get('/account')
      const { sales } = await overviewOf(shop, '12m')
      expect(sales.map(({ currency }: Body) => currency).toSorted()).toEqual(['eur', 'jpy', 'usd'])
      expect(sales[0]!.currency).toBe(default_currency)
    })

    it('takes off what is refunded, and leaves out what was never paid', async () => {
      const own = shop.as(await shop.running.another(`refunds-${chance(1e6)}`))
      const price = await priceForSale(own, { amount: 5000 })
      const order = await sell(own, [{ price_variant: price.id }])
      await own.post('/refunds', { order: order.id, amount: 1200 })
      await insertOrder(own, order.customer.id, {
        ...{ currency: 'usd', amount: 700, refunded: 0, tax: 0, taxRefunded: 0 },
        paidAt: Number.NaN,
      })
      const { sales } = await overviewOf(own)
      expect(sales).toHaveLength(1)
      expect(sales[0]!.now).toEqual({ revenue: 3800, orders: 1 })
      expect(sales[0]!.points.at(-1)).toEqual({ revenue: 3800, orders: 1 })
    })

    it('knows how many subscriptions ran, and what they pay a month', async () => {
      const own = shop.as(await shop.running.another(`subscribers-${chance(1e6)}`))
      const subscribe = async (values: object) => {
        const price = await priceForSale(own, { billing_type: 'subscription', ...values })
        return (await sell(own, [{ price_variant: price.id }])).subscription
      }
      await subscribe({ amount: 1000, recurring_interval: 'month' })
      await subscribe({ amount: 24000, recurring_interval: 'year' })
      await subscribe({ amount: 900, recurring_interval: 'month', interval_count: 3 })
      await subscribe({ amount: 9900, recurring_interval: 'month', trial_period_days: 14, setup_fee_amount: 100 })
      const ended = await subscribe({ amount: 5000, recurring_interval: 'month' })
      const paused = await subscribe({ amount: 7000, recurring_interval: 'month' })
      await own.post(`/subscriptions/${ended}/cancel`, { immediately: true })
      await own.post(`/subscriptions/${paused}/pause`)
      const { subscribers, recurring } = await overviewOf(own, '7d')
      expect([subscribers.before, subscribers.points.at(-1)]).toEqual([0, 5])
      expect(recurring).toEqual([{ currency: 'usd', before: 0, points: [0, 0, 0, 0, 0, 0, 1000 + 2000 + 300] }])
      // They began long before, and one of them ended three days ago.
      const rows = await own.listed('/subscriptions')
      for (const id of rows)
        await own.set('subscriptions', String(id), { created_at: LONG_AGO, first_charged_at: LONG_AGO })
      await own.set('subscriptions', ended, { ends_at: daysAgo(3) })
      const later = await overviewOf(own, '7d')
      expect([later.subscribers.before, later.subscribers.points]).toEqual([6, [6, 6, 6, 5, 5, 5, 5]])
    })

    it('names what needs attention, of this account alone', async () => {
      const own = shop.as(await shop.running.another(`attention-${chance(1e6)}`))
      expect((await overviewOf(own)).attention).toEqual([])
      const price = await priceForSale(own)
      const order = await sell(own, [{ price_variant: price.id }])
      await own.set('orders', order.id, { status: 'disputed' })
      const invoice = { price_variant: price.id, due_at: '2099-01-01T00:00:00Z', email_address: 'a@example.com' }
      const { id } = await own.post('/invoices', invoice)
      await own.set('invoices', id, { status: 'past_due' })
      expect((await overviewOf(own)).attention).toEqual([
        { kind: 'past_due_invoices', count: 1 },
        { kind: 'disputed_orders', count: 1 },
      ])
      expect((await overviewOf(shop)).attention).toEqual([])
    })
  })
})

const LONG_AGO = '2020-01-01T00:00:00Z'

function daysAgo(days: number): string {
  return `${new Date(Date.now() - days * 24 * 60 * 60 * 1000).toISOString().slice(0, 19)}Z`
}

function sumsOf(orders: Order[]) {
  const revenue = orders.reduce(
    (sum, { amount, refunded, tax, taxRefunded }) => sum + amount - refunded - tax + taxRefunded,
    0,
  )
  return { revenue, orders: orders.length }
}

async function insertOrder(shop: Shop, customer: string, order: Order): Promise<void> {
  const { currency, amount, refunded, tax, taxRefunded, paidAt } = order
  const paid_at = Number.isNaN(paidAt) ? null : `${new Date(paidAt).toISOString().slice(0, 19)}Z`
  await shop.insert('orders', 'ord', {
    ...{ status: paid_at === null ? 'failed' : 'succeeded', customer, currency, amount, subtotal: amount },
    ...{
      amount_discount: 0,
      amount_refunded: refunded,
      amount_refunding: 0,
      amount_tax: tax,
      amount_tax_refunded: taxRefunded,
      processor: 'test',
      paid_at,
      metadata: '{}',
    },
  })
}
