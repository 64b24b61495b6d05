import { expect, it } from 'vitest'
import { addMonths } from '../../src/contract/values/months.ts'
import { rehearse } from '../support/rehearsal.ts'
import { type Body, onGateEngine } from '../support/shop.ts'

onGateEngine((shop) => {
  it('lives through three years, one charge a month, on the day of its first one', { timeout: 120_000 }, async () => {
    const life = await rehearse(shop)
    const club = await life.subscribe()
    const start: string = club.current_period_start
    expect(club).toMatchObject({ status: 'active', payments_count: 1, current_period_end: addMonths(start, 1) })
    await life.past(addMonths(start, 36))
    const periods = Array.from({ length: 37 }, (_, n) => addMonths(start, n))
    expect(periods.slice(0, 5).map((moment) => moment.slice(5, 10))).toEqual([
      '01-31',
      '02-28',
      '03-31',
      '04-30',
      '05-31',
    ])
    const orders = await life.orders(club.id)
    expect(orders.map(({ paid_at }: Body) => paid_at)).toEqual(periods)
    for (const order of orders)
      expect(order).toMatchObject({ status: 'succeeded', amount: 2000, charge: { status: 'succeeded', amount: 2000 } })
    expect(await life.subscription(club.id)).toMatchObject({
      ...{ status: 'active', payments_count: 37, order: orders[0].id },
      ...{ current_period_start: periods[36], current_period_end: addMonths(start, 37) },
    })
    expect(await shop.get('/customers')).toMatchObject({ data: [] })
    expect((await life.shop.get('/customers')).data).toMatchObject([{ orders_count: 37, total_spend: 74_000 }])
  })

  it('says of a renewal that an order was made and paid, and that the subscription was renewed', async () => {
    const life = await rehearse(shop)
    const club = await life.subscribe()
    expect(await life.events(() => life.pastPeriod(club.id))).toEqual([
      'order.created',
      'order.paid',
      'subscription.renewed',
    ])
    const [, renewal] = await life.orders(club.id)
    expect(renewal).toMatchObject({ checkout: null, subscription: club.id, customer: club.customer, invoice: null })
    expect(renewal.line_items).toMatchObject([{ price_variant: club.price_variant, quantity: 1, amount: 2000 }])
  })
})
