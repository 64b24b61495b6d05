import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { assemble } from '../../src/assembly.ts'
import { newId } from '../../src/contract/values/ids.ts'
import { type RunningApp, startApp } from '../support/app.ts'
import { Formations } from '../support/formations.ts'
import { payIn, priceForSale, sell } from '../support/sell.ts'
import { onGateEngine } from '../support/shop.ts'

describe('A fee that no feature of the build takes', () => {
  let running: RunningApp
  beforeAll(async () => {
    running = await startApp({ assembly: assemble([]) })
  })
  afterAll(() => running.close())

  it('cannot be paid', async () => {
    const { api, app, accountId } = running
    const { body: product } = await api('POST', '/products', { name: 'A book', status: 'active' })
    const { body: price } = await api('POST', '/price_variants', { product_id: product.id, amount: 1000 })
    const line_items = [{ price_variant: price.id, quantity: 1 }]
    const { body: checkout } = await api('POST', '/checkouts', { line_items, email: 'ada@example.com' })
    await app.database.transaction(({ db }) =>
      db
        .updateTable('checkouts')
        .set({ formation: newId('fmtn') })
        .where('id', '=', checkout.id)
        .execute(),
    )
    await expect(payIn(running, accountId, checkout.id, {})).rejects.toThrow(
      'This service does not take this fee any more, so nothing is charged.',
    )
  })
})

describe('An order that paid a fee, as earlier versions had them', () => {
  onGateEngine((service) => {
    async function paidByOrder() {
      const formations = await Formations.open(service)
      const { shop } = formations
      const formation = await formations.startPaid()
      const price = await priceForSale(shop)
      const order = await sell(shop, [{ price_variant: price.id, quantity: 1 }])
      await shop.set('checkouts', order.checkout, { formation: formation.id })
      const refund = (body: object = {}) => shop.api('POST', '/refunds', { order: order.id, ...body })
      return { formations, formation, refund }
    }

    it('is refunded as a whole, and so is its formation', async () => {
      const { formations, formation, refund } = await paidByOrder()
      const { status, body } = await refund({ amount: 500 })
      expect([status, body.error.errors]).toEqual([
        422,
        { amount: ['must be the whole order, because it paid for a formation'] },
      ])
      expect((await refund()).status).toBe(201)
      expect(await formations.get(formation.id)).toMatchObject({ payment_status: 'refunded' })
    })

    it('is not refunded once the formation was submitted', async () => {
      const { formations, formation, refund } = await paidByOrder()
      await formations.act(formation.id, 'submit')
      const { status, body } = await refund()
      expect([status, body.error.code, body.error.message]).toEqual([
        400,
        'invalid_state',
        expect.stringContaining('paid for a formation that is'),
      ])
    })
  })
})
