import { expect, it } from 'vitest'
import { type Body, onEachEngine } from '../support/shop.ts'

onEachEngine((shop) => {
  const priced = async (values: Record<string, unknown> = {}, product: Record<string, unknown> = {}) => {
    const { id } = await shop.product({ status: 'active', ...product })
    return shop.price(id, values)
  }
  const checkout = (values: object): Promise<Body> => shop.post('/checkouts', values)
  const item = (price: Body, more: object = {}) => ({ price_variant: price.id, ...more })

  it('opens with items, quantities and a total', async () => {
    const [book, pen] = [await priced({ amount: 1250 }), await priced({ amount: 300 })]
    const open = await checkout({ line_items: [item(book, { quantity: 2 }), item(pen)], email: 'ada@example.com' })
    expect(open).toMatchObject({
      status: 'open',
      mode: 'payment',
      currency: 'usd',
      subtotal: 2800,
      total: 2800,
      amount_discount: 0,
      email: 'ada@example.com',
      customer: null,
      processor: 'test',
      allowed_actions: ['update'],
    })
    expect(open.checkout_items).toMatchObject([
      { object: 'checkout_item', price_variant: book.id, quantity: 2, unit_amount: 1250, amount: 2500 },
      { price_variant: pen.id, quantity: 1, amount: 300 },
    ])
    expect(open.url).toBe(`${shop.running.url}/checkout/${open.client_secret}`)
  })

  it('completes at once when it is free and the buyer is known', async () => {
    const free = await priced({ amount: 0 })
    const events = await shop.eventsOf(async () => {
      const done = await checkout({ line_items: [item(free)], email: 'free@example.com' })
      expect(done).toMatchObject({ status: 'complete', total: 0, processor: 'none', allowed_actions: [] })
      const order = await shop.get(`/orders/${done.order}?expand=customer,line_items,checkout,charge`)
      expect(order).toMatchObject({ status: 'succeeded', amount: 0, charge: null, processor: 'none' })
      expect(order.customer).toMatchObject({ email: 'free@example.com', customer_type: 'free', orders_count: 1 })
      expect(order.line_items).toMatchObject([{ price_variant: free.id, quantity: 1, order_status: 'succeeded' }])
    })
    expect(events.map((event) => event.type)).toEqual([
      'checkout.created',
      'customer.created',
      'order.created',
      'order.paid',
      'checkout.completed',
    ])
  })

  it('begins a subscription with a trial at once under the test provider', async () => {
    const club = await priced({
      amount: 2400,
      billing_type: 'subscription',
      recurring_interval: 'month',
      trial_period_days: 14,
    })
    const done = await checkout({ line_items: [item(club)], email: 'club@example.com' })
    expect(done).toMatchObject({ status: 'complete', mode: 'subscription', total: 0, processor: 'test' })
    expect(done.subscription).toMatch(/^sub_/)
  })

  it('takes a discount off the items that it applies to', async () => {
    const [book, pen] = [await priced({ amount: 999 }), await priced({ amount: 501 })]
    const code = await shop.discount({ percent_off: 33.33, applies_to_product_ids: [book.product] })
    const open = await checkout({
      line_items: [item(book), item(pen)],
      email: 'ada@example.com',
      discount_code: ` ${code.code.toLowerCase()} `,
    })
    expect(open).toMatchObject({
      subtotal: 1500,
      amount_discount: 333,
      total: 1167,
      discount: code.id,
      discount_code: code.code,
    })
    expect(await shop.patch(`/checkouts/${open.id}`, { discount_code: '' })).toMatchObject({
      total: 1500,
      discount: null,
    })
  })
})
