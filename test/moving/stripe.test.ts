import { beforeAll, describe, expect, it } from 'vitest'
import { subscriptionDue } from '../../src/resources/sales/subscription/jobs.ts'
import { type Body, onEachEngine } from '../support/shop.ts'
import { type Imported, importInto, sample } from './importing.ts'

const FILES = ['invoices', 'payments', 'subscriptions', 'customers', 'prices', 'products'].map((name) =>
  sample(`stripe-${name}`),
)

describe('Importing from Stripe', () => {
  onEachEngine((shop) => {
    let done: Imported

    beforeAll(async () => {
      const dry = await importInto(shop, 'stripe', FILES, { dry: true })
      done = await importInto(shop, 'stripe', FILES)
      expect(dry).toEqual(done)
    })

    const order = async (id: string) =>
      (await shop.get('/orders?channel=import&limit=100&expand=line_items')).data.find(
        ({ metadata }: Body) => metadata.stripe_id === id || metadata.stripe_invoice === id,
      )
    const subscription = async (id: string) =>
      (await shop.get('/subscriptions?limit=100')).data.find(({ metadata }: Body) => metadata.stripe_id === id)

    it('says what it took and what not', () => {
      expect(done.reports).toMatchObject({
        'stripe-products': { made: 1 },
        'stripe-prices': { made: 3, products: 1, refused: 1 },
        'stripe-customers': { made: 2 },
        'stripe-subscriptions': { made: 3, products: 1, refused: 1, leftOut: 1, changed: 1 },
        'stripe-payments': { made: 3, customers: 1, products: 1, leftOut: 1 },
        'stripe-invoices': { made: 1, again: 1, leftOut: 1 },
      })
      expect(done.reports['stripe-customers']!.columns.unknown).toEqual(['plan_note (metadata)'])
      expect(done.remarks.filter((remark) => remark.includes(' refused: '))).toEqual([
        'stripe-prices:4 Amount refused: is empty: prices in tiers, and those that buyers choose, have to be made by hand',
        'stripe-prices:4 Usage Type refused: is metered: what is charged by use has no price here',
        'stripe-prices:4 Billing Scheme refused: is tiered: a price here is one amount',
        'stripe-subscriptions:5 Customer refused: is no customer that is here: import the file of customers first',
      ])
    })

    it('makes recurring and one-time prices, exact in every currency', async () => {
      const club = await shop.get('/products/tea-club')
      const { data } = await shop.get(`/price_variants?product=${club.id}`)
      expect(data.map((price: Body) => [price.amount, price.currency, price.recurring_interval])).toEqual([
        [2990, 'eur', 'month'],
        [29_900, 'eur', 'year'],
      ])
      expect(data[0]).toMatchObject({ trial_period_days: 14, name: 'Monthly' })
      const poster = await shop.get('/products/poster')
      const [price] = (await shop.get(`/price_variants?product=${poster.id}`)).data
      expect(price).toMatchObject({ amount: 1500, currency: 'jpy', billing_type: 'one_time' })
    })

    it('takes money once that is in the payments and in the invoices', async () => {
      expect(
        (await shop.get('/orders?channel=import&currency=eur&limit=100')).data.map(({ amount }: Body) => amount),
      ).toEqual(expect.arrayContaining([2990, 2990, 3358]))
      expect(await order('ch_2')).toMatchObject({ status: 'partially_refunded', amount_refunded: 1000 })
      expect(await order('in_3')).toMatchObject({ amount: 3358, amount_tax: 368, amount_discount: 300, subtotal: 3290 })
      expect(await order('ch_3')).toMatchObject({ amount: 1500, currency: 'jpy', created_at: '2024-03-02T12:00:00Z' })
    })

    it('pauses subscriptions that go on, so that nothing is charged twice', async () => {
      const going = await subscription('sub_1')
      expect(going).toMatchObject({
        ...{ status: 'paused', resumes_at: null, amount: 2990, current_period_end: '2099-03-31T18:00:00Z' },
        ...{ created_at: '2024-01-31T18:00:00Z', next_payment_attempt_at: null },
      })
      const jobs = shop.db.selectFrom('jobs').select('id').where('name', '=', subscriptionDue.name)
      expect(await jobs.where('account_id', '=', shop.accountId).execute()).toEqual([])
      expect((await shop.get(`/orders/${going.order}`)).amount).toBe(3358)
      expect(await subscription('sub_3')).toMatchObject({ status: 'paused' })
    })

    it('keeps those that have ended for the reports', async () => {
      expect(await subscription('sub_2')).toMatchObject({
        ...{ status: 'canceled', amount: 59_800, quantity: 2, ends_at: '2024-02-01T08:00:00Z' },
        canceled_at: '2023-12-01T09:00:00Z',
      })
    })

    it('lets the shop resume one, which then keeps its day of the month', async () => {
      const { id } = await subscription('sub_1')
      const resumed = await shop.post(`/subscriptions/${id}/resume`)
      expect(resumed).toMatchObject({ status: 'active', current_period_end: '2099-03-31T18:00:00Z' })
      const rows = await shop.db
        .selectFrom('subscriptions')
        .select(['anchor', 'periods', 'awaits_takeover', 'method'])
        .where('account_id', '=', shop.accountId)
        .where('id', '=', id)
        .execute()
      expect(rows).toEqual([{ anchor: '2024-01-31T18:00:00Z', periods: 902, awaits_takeover: 0, method: null }])
    })

    it('takes each row once', async () => {
      const again = await importInto(shop, 'stripe', FILES)
      for (const report of Object.values(again.reports))
        expect(report).toMatchObject({ made: 0, customers: 0, products: 0 })
    })
  })
})
