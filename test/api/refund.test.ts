import { expect, it } from 'vitest'
import { priceForSale, sell } from '../support/sell.ts'
import { onEachEngine } from '../support/shop.ts'

const NO_REFUND_CARD = '4000000000005126'

onEachEngine(
  (shop) => {
    const order = async (amount = 1000, quantity = 1, more = {}) => {
      const price = await priceForSale(shop, { amount, quantity_available: 50 })
      return sell(shop, [{ price_variant: price.id, quantity }], more)
    }

    it('gives back a part, then the rest, and never more', async () => {
      const { id, customer } = await order(1000)
      const first = await shop.post('/refunds', { order: id, amount: 300, reason: 'late', notes: 'Called on Monday.' })
      expect(first).toMatchObject({
        order: id,
        amount: 300,
        currency: 'usd',
        status: 'succeeded',
        provider: 'test',
        reason: 'late',
        notes: 'Called on Monday.',
      })
      expect(await shop.get(`/orders/${id}`)).toMatchObject({ status: 'partially_refunded', amount_refunded: 300 })
      expect(await shop.refusal('POST', '/refunds', { order: id, amount: 701 })).toEqual({
        amount: ['must be at most 700, the amount of the order that is left'],
      })
      expect(await shop.post('/refunds', { order: id })).toMatchObject({ amount: 700 })
      const done = await shop.get(`/orders/${id}?expand=charge,line_items,customer`)
      expect(done).toMatchObject({ status: 'refunded', amount_refunded: 1000 })
      expect(done.charge).toMatchObject({ status: 'refunded', amount_refunded: 1000 })
      expect(done.line_items).toMatchObject([{ amount_refunded: 1000, order_status: 'refunded' }])
      expect(done.customer).toMatchObject({ id: customer.id, total_spend: 0, orders_count: 1, customer_type: 'paid' })
      expect(await shop.refusal('POST', '/refunds', { order: id })).toEqual([400, 'invalid_state'])
    })

    it('spreads over the lines in proportion, and all lines together have what the order has', async () => {
      const [book, pen] = [await priceForSale(shop, { amount: 1001 }), await priceForSale(shop, { amount: 500 })]
      const { id } = await sell(shop, [{ price_variant: book.id }, { price_variant: pen.id, quantity: 3 }])
      await shop.post('/refunds', { order: id, amount: 100 })
      const shares = await shop.listed(`/order_items?order=${id}`, 'amount_refunded')
      expect(shares).toEqual([40, 60])
    })

    it('returns the stock and ends the access when all of it is given back', async () => {
      const price = await priceForSale(shop, { amount: 700, quantity_available: 5 })
      const { id } = await sell(shop, [{ price_variant: price.id, quantity: 2 }])
      expect(await shop.get(`/price_variants/${price.id}`)).toMatchObject({ quantity_available: 3 })
      const grants = () => shop.db.selectFrom('access_grants').selectAll().where('order_id', '=', id).execute()
      expect(await grants()).toMatchObject([{ ends_at: null }])
      await shop.post('/refunds', { order: id, amount: 1 })
      expect(await shop.get(`/price_variants/${price.id}`)).toMatchObject({ quantity_available: 3 })
      await shop.post('/refunds', { order: id })
      expect(await shop.get(`/price_variants/${price.id}`)).toMatchObject({ quantity_available: 5 })
      expect(await grants()).toMatchObject([{ ends_at: expect.any(String) }])
    })

    it('frees its amount again when the bank refuses it', async () => {
      const { id } = await order(1000, 1, { paying: { card: NO_REFUND_CARD } })
      const events = await shop.eventsOf(async () => {
        const refund = await shop.post('/refunds', { order: id })
        expect(refund).toMatchObject({ status: 'failed', failure_message: expect.any(String) })
      })
      expect(events.map((event) => event.type)).toEqual(['refund.created', 'refund.failed'])
      expect(await shop.get(`/orders/${id}`)).toMatchObject({ status: 'succeeded', amount_refunded: 0 })
      expect(await shop.post('/refunds', { order: id, amount: 1000 })).toMatchObject({ amount: 1000 })
    })

    it('is refused for orders that are free or unknown, and for wrong amounts', async () => {
      const free = await priceForSale(shop, { amount: 0 })
      const { order: freeOrder } = await shop.post('/checkouts', {
        line_items: [{ price_variant: free.id }],
        email: 'free@example.com',
      })
      expect(await shop.refusal('POST', '/refunds', { order: freeOrder })).toEqual([400, 'invalid_state'])
      expect(await shop.refusal('POST', '/refunds', { order: 'ord_unknown' })).toEqual([
        404,
        'resource_missing',
        'order',
      ])
      const { id } = await order()
      expect(await shop.refusal('POST', '/refunds', { order: id, amount: 0 })).toEqual({
        amount: ['must be at least 1'],
      })
      expect(await shop.refusal('POST', '/refunds', {})).toEqual([400, 'parameter_missing', 'order'])
    })

    it('happens once when 64 ask for all of it, and ten times when 64 ask for a tenth', {
      timeout: 120_000,
    }, async () => {
      const ask = async (id: string, body: object) => {
        const answers = await Promise.all(
          Array.from({ length: 64 }, () => shop.api('POST', '/refunds', { order: id, ...body })),
        )
        expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201, 400]))
        return answers.filter(({ status }) => status === 201).length
      }
      const [whole, parts] = [await order(1000), await order(1000)]
      expect(await ask(whole.id, {})).toBe(1)
      expect(await ask(parts.id, { amount: 100 })).toBe(10)
      for (const { id } of [whole, parts])
        expect(await shop.get(`/orders/${id}`)).toMatchObject({ status: 'refunded', amount_refunded: 1000 })
    })
  },
  { RATE_LIMIT_BURST: '100000' },
)
