import { beforeAll, describe, expect, it } from 'vitest'
import { overview } from '../../../src/resources/dashboard/overview/overview.ts'
import { ownerOf } from '../../support/dashboard.ts'
import { signIn } from '../../support/person.ts'
import { rehearse } from '../../support/rehearsal.ts'
import { priceForSale, sell } from '../../support/sell.ts'
import { type Body, onEachEngine, type Shop } from '../../support/shop.ts'
import { chance, dayIn, type Order, randomOrders } from './overview-model.ts'

const ZONES = ['America/St_Johns', 'Asia/Kathmandu', 'Pacific/Auckland']

const report = async (shop: Shop, query: Record<string, unknown> = {}): Promise<Body> =>
  (await ownerOf(shop)).get('/reports', query)

describe('The report of an account', () => {
  onEachEngine((shop) => {
    let orders: Order[]

    beforeAll(async () => {
      orders = randomOrders(300)
      const { id: customer } = await shop.customer()
      for (const order of orders) await insertOrder(shop, customer, order)
    })

    it.each(ZONES)('sums what a simple model sums, by day, week and month, in %s', async (timezone) => {
      await shop.patch('/account', { timezone })
      const today = dayIn(timezone)(Date.now())
      const dated = orders.map((order) => ({ ...order, day: dayIn(timezone)(order.paidAt) }))
      for (const { from, interval } of [
        { from: daysBefore(today, 0), interval: 'day' },
        { from: daysBefore(today, 40), interval: 'day' },
        { from: daysBefore(today, 200), interval: 'week' },
        { from: daysBefore(today, 700), interval: 'month' },
      ]) {
        const { currencies } = await report(shop, { from, to: today, interval, by: 'channel' })
        const inRange = dated.filter(({ day }) => isBetween(day, from, today))
        for (const { currency, total, points, rows } of currencies) {
          const own = inRange.filter((order) => order.currency === currency)
          expect([currency, amounts(total)]).toEqual([currency, sumsOf(own)])
          for (const { from: first, to: last, ...point } of points) {
            const ofPoint = own.filter(({ day }) => isBetween(day, first, last))
            expect([first, amounts(point)]).toEqual([first, sumsOf(ofPoint)])
          }
          expect(rows.length).toBe(own.length > 0 ? 1 : 0)
          if (rows.length > 0) expect(amounts(rows[0])).toEqual(sumsOf(own))
        }
      }
    })

    it('says how many of its orders moved no money', async () => {
      const own = shop.as(await shop.running.another(`simulated-${chance(1e6)}`))
      await sell(own, [{ price_variant: (await priceForSale(own, { amount: 900 })).id }])
      const owner = await ownerOf(own)
      await sell(own, [{ price_variant: (await priceForSale(own, { amount: 900, currency: 'eur' })).id }])
      expect(await owner.read(overview, '30d', [])).toMatchObject({ simulated_orders: 2 })
      expect((await owner.get('/reports')).currencies.map(({ simulated_orders }: Body) => simulated_orders)).toEqual([
        1, 1,
      ])
      const person = await signIn(shop.running, owner.caller.userId)
      const { subdomain } = await own.get('/account')
      const csv = await person.get(`/dashboard/${subdomain}/reports.csv?currency=eur&table=rows`)
      expect(csv.html).toMatch(/,currency,simulated_orders_in_report\r\n.*,eur,1\r\n$/)
    })

    it('begins and ends days where clocks are changed', async () => {
      const own = shop.as(await shop.running.another(`summer-${chance(1e6)}`))
      await own.patch('/account', { timezone: 'Europe/Berlin' })
      const { id: customer } = await own.customer()
      // 29 March 2026 has 23 hours there, 25 October 25; the hour from 2 to 3 comes twice.
      const moments = [
        ['2026-03-28T22:59:59Z', 1],
        ['2026-03-28T23:00:00Z', 2],
        ['2026-03-29T21:59:59Z', 4],
        ['2026-03-29T22:00:00Z', 8],
        ['2026-10-24T22:00:00Z', 16],
        ['2026-10-25T00:30:00Z', 32],
        ['2026-10-25T01:30:00Z', 64],
        ['2026-10-25T22:59:59Z', 128],
        ['2026-10-25T23:00:00Z', 256],
      ] as const
      for (const [moment, amount] of moments)
        await insertOrder(own, customer, {
          currency: 'usd',
          amount,
          refunded: 0,
          tax: 0,
          taxRefunded: 0,
          paidAt: Date.parse(moment),
        })
      const grossOf = async (day: string) => (await report(own, { from: day, to: day })).currencies[0]?.total.gross
      expect([await grossOf('2026-03-28'), await grossOf('2026-03-29'), await grossOf('2026-03-30')]).toEqual([1, 6, 8])
      expect([await grossOf('2026-10-25'), await grossOf('2026-10-26')]).toEqual([240, 256])
    })

    it('splits sales by product, price and channel, and takes refunds off the day of the payment', async () => {
      const own = shop.as(await shop.running.another(`split-${chance(1e6)}`))
      const handbook = await priceForSale(own, { amount: 2000 }, { name: 'Handbook' })
      const tea = await priceForSale(own, { amount: 500, name: 'Green' }, { name: 'Tea' })
      const order = await sell(own, [{ price_variant: handbook.id }, { price_variant: tea.id, quantity: 3 }])
      const { code } = await own.discount({ percent_off: 50 })
      await sell(own, [{ price_variant: tea.id }], { checkout: { discount_code: code, email: order.customer.email } })
      await own.post('/refunds', { order: order.id, amount: 700 })
      const byProduct = (await report(own, { by: 'product' })).currencies[0]
      expect(byProduct.total).toMatchObject({
        ...{ gross: 3750, discounts: 250, refunds: 700, tax: 0, net: 3050, orders: 2, free_orders: 0 },
        ...{ average_order: 1875, new_buyers: 1, returning_buyers: 0 },
      })
      expect(byProduct.rows).toMatchObject([
        { key: handbook.product, name: 'Handbook', units: 1, gross: 2000, refunds: 400, net: 1600, orders: 1 },
        { key: tea.product, name: 'Tea', units: 4, gross: 1750, refunds: 300, net: 1450, orders: 2 },
      ])
      expect(byProduct.points.at(-1)).toMatchObject({ net: 3050, refunds: 700 })
      const [price] = (await report(own, { by: 'price' })).currencies[0].rows.slice(1)
      expect(price).toMatchObject({ key: tea.id, name: 'Tea, Green', units: 4 })
      const [channel] = (await report(own, { by: 'channel' })).currencies[0].rows
      expect(channel).toMatchObject({ key: 'api', name: 'API and dashboard', units: null, net: 3050 })
      expect(await own.listed('/orders?channel=api', 'channel')).toEqual(['api', 'api'])
    })

    it('compares with as many days before, until the same hour, or with the year before', async () => {
      const { shop: own, to } = await rehearse(shop, '2036-03-10T12:00:00Z').then((clock) => ({
        shop: clock.shop,
        to: (moment: string) => clock.to(moment),
      }))
      const price = await priceForSale(own, { amount: 1000 })
      const buy = () => sell(own, [{ price_variant: price.id }])
      await buy()
      await to('2036-03-10T18:00:00Z')
      await buy()
      await to('2036-03-11T13:00:00Z')
      await buy()
      const day = await report(own, { from: '2036-03-11' })
      expect([day.before_from, day.before_to]).toEqual(['2036-03-10', '2036-03-10'])
      expect([day.currencies[0].total.gross, day.currencies[0].before.gross]).toEqual([1000, 1000])
      await to('2037-03-11T12:00:00Z')
      const year = await report(own, { from: '2037-03-10', to: '2037-03-11', compare: 'year' })
      expect([year.before_from, year.currencies[0].total.gross, year.currencies[0].before.gross]).toEqual([
        '2036-03-10',
        0,
        2000,
      ])
      expect(
        (await report(own, { compare: 'none', from: '2036-03-01', to: '2036-03-31' })).currencies[0].before,
      ).toBeNull()
    })

    it('counts a buyer once, as new or as returning', async () => {
      const clock = await rehearse(shop, '2036-05-01T12:00:00Z')
      const price = await priceForSale(clock.shop, { amount: 1000 })
      const buy = (email: string) => sell(clock.shop, [{ price_variant: price.id }], { checkout: { email } })
      await buy('ada@example.com')
      await clock.to('2036-05-02T12:00:00Z')
      for (const email of ['ada@example.com', 'ada@example.com', 'bob@example.com', 'bob@example.com']) await buy(email)
      const { total, points } = (await report(clock.shop, { from: '2036-05-02', to: '2036-05-02' })).currencies[0]
      expect(total).toMatchObject({ orders: 4, new_buyers: 1, returning_buyers: 1 })
      const both = (await report(clock.shop, { from: '2036-05-01', to: '2036-05-02' })).currencies[0]
      expect(both.total).toMatchObject({ orders: 5, new_buyers: 2, returning_buyers: 0 })
      expect(both.points.map((point: Body) => [point.new_buyers, point.returning_buyers])).toEqual([
        [1, 0],
        [1, 1],
      ])
      expect(points).toHaveLength(1)
    })

    it('says how recurring revenue moved: new, expansion, contraction, churn, reactivation', async () => {
      const clock = await rehearse(shop, '2036-01-10T12:00:00Z')
      const first = await clock.subscribe({ amount: 1000 })
      const ofSameBuyer = async (price: Record<string, unknown>) => {
        const { id } = await clock.subscribe(price)
        await clock.shop.set('subscriptions', id, { customer: first.customer })
        return id
      }
      await clock.to('2036-02-10T13:00:00Z')
      const second = await ofSameBuyer({ amount: 24_000, recurring_interval: 'year' })
      await clock.to('2036-03-20T12:00:00Z')
      await clock.act(second, 'cancel', { immediately: true })
      await clock.to('2036-04-20T12:00:00Z')
      await clock.act(first.id, 'cancel', { immediately: true })
      await clock.to('2036-05-20T12:00:00Z')
      await ofSameBuyer({ amount: 3000 })
      await clock.to('2036-06-20T12:00:00Z')
      const of = async (query: object) =>
        (await report(clock.shop, query as Record<string, unknown>)).currencies[0].recurring
      const { points, ...whole } = await of({ from: '2036-01-01', to: '2036-06-20', interval: 'month' })
      expect(whole).toEqual({
        ...{ start: 0, new: 1000, expansion: 2000, reactivation: 3000, contraction: 2000, churn: 1000, end: 3000 },
      })
      expect(points.map(({ end }: Body) => end)).toEqual([1000, 3000, 1000, 0, 3000, 3000])
      expect(await of({ from: '2036-05-01', to: '2036-05-31' })).toMatchObject({ start: 0, new: 0, reactivation: 3000 })
    })

    it('refuses days that are none, ranges the wrong way round, and too many points', async () => {
      const owner = await ownerOf(shop)
      const refusal = async (query: Record<string, unknown>) => {
        const [status, { error }] = await owner.try('GET', '/reports', undefined, query)
        return [status, error.param, error.message]
      }
      expect(await refusal({ from: '2026-02-30' })).toEqual([400, 'from', expect.stringContaining('not a valid date')])
      expect(await refusal({ from: '2026-02-02', to: '2026-02-01' })).toEqual([400, 'from', expect.any(String)])
      expect(await refusal({ from: '2020-01-01', to: '2026-01-01', interval: 'day' })).toEqual([
        ...[400, 'interval', 'interval gives 2193 points, and a report has at most 400; ask for month'],
      ])
      expect(await refusal({ from: '2001-01-01', to: '2026-01-01' })).toEqual([400, 'from', expect.any(String)])
      expect((await shop.api('GET', '/reports')).status).toBe(404)
    })
  })
})

function isBetween(day: string, from: string, to: string): boolean {
  return from <= day && day <= to
}

function daysBefore(day: string, days: number): string {
  return new Date(Date.parse(day) - days * 24 * 60 * 60 * 1000).toISOString().slice(0, 10)
}

function amounts({ gross, refunds, net, orders }: Body) {
  return { gross, refunds, net, orders }
}

function sumsOf(orders: Order[]) {
  const [gross, refunds] = [sum(orders, 'amount'), sum(orders, 'refunded')]
  return { gross, refunds, net: gross - refunds, orders: orders.length }
}

function sum(orders: Order[], of: 'amount' | 'refunded'): number {
  return orders.reduce((all, order) => all + order[of], 0)
}

async function insertOrder(shop: Shop, customer: string, { currency, amount, refunded, paidAt }: Order): Promise<void> {
  const paid_at = `${new Date(paidAt).toISOString().slice(0, 19)}Z`
  await shop.insert('orders', 'ord', {
    ...{ status: 'succeeded', customer, currency, amount, subtotal: amount, channel: 'api', previous_paid_at: null },
    ...{
      amount_discount: 0,
      amount_refunded: refunded,
      amount_refunding: 0,
      processor: 'test',
      paid_at,
      metadata: '{}',
    },
  })
}
