import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Receiver, startReceiver, verify } from '../support/receiver.ts'
import { rehearse } from '../support/rehearsal.ts'
import { priceForSale, sell } from '../support/sell.ts'
import { type Body, onEachEngine } from '../support/shop.ts'
import { endpointsOf } from '../support/webhooks.ts'

describe('The events of a sale', () => {
  let receiver: Receiver
  beforeAll(async () => {
    receiver = await startReceiver()
  })
  afterAll(() => receiver.close())

  const heard = async (path: string, type: string): Promise<Body> => {
    const ofType = () => receiver.at(path).find(({ body }) => body.type === type)
    for (let count = 1; !ofType(); count++) await receiver.until(count, path)
    return ofType()!.body
  }

  onEachEngine((shop) => {
    it('hold the customer and the lines in full, and nothing that opens a checkout', async () => {
      const { endpoint, removeAll } = endpointsOf(shop, () => receiver)
      const { path } = await endpoint()
      const price = await priceForSale(shop, { amount: 2900 })
      const order = await sell(shop, [{ price_variant: price.id }])
      const paid = await heard(path, 'order.paid')
      expect(paid).toMatchObject({ livemode: true, data: { id: order.id, status: 'succeeded' } })
      expect(paid.data.customer).toEqual(await shop.get(`/customers/${order.customer.id}`))
      expect(paid.data.line_items).toMatchObject([{ object: 'order_item', amount: 2900 }])
      expect(paid.data.charge).toEqual((await shop.get(`/orders/${order.id}`)).charge)
      const created = await heard(path, 'checkout.created')
      expect(created.data).toMatchObject({ object: 'checkout', customer: null })
      for (const secret of ['client_secret', 'url']) expect(created.data).not.toHaveProperty(secret)
      expect((await heard(path, 'checkout.completed')).data.customer).toMatchObject({ id: order.customer.id })
      await removeAll()
    })

    it('tell a plan nothing that opens a checkout either', async () => {
      const price = await priceForSale(shop)
      const { mcp, database } = shop.running.app
      const { user_id: userId } = (await database.read.selectFrom('memberships').selectAll().execute())[0]!
      const caller = { kind: 'session', sessionId: 's', accountId: shop.accountId, userId, role: 'owner' } as const
      const program = `post("/checkouts", line_items: [{ price_variant: "${price.id}" }])`
      const planned = (await mcp.execute(caller, `# dry_run: true\n${program}`, {})).body
      const applied = (await mcp.execute(caller, `# apply: ${planned.plan}`, {})).body
      expect(applied).not.toHaveProperty('error')
    })

    it('of a test account go out with livemode false: dated by its clock, and signed in real time', async () => {
      const rehearsal = await rehearse(shop, '2035-01-31T10:00:00Z')
      const { endpoint } = endpointsOf(rehearsal.shop, () => receiver)
      const { path, secret } = await endpoint({ enabled_events: ['product.created'] })
      const product = await rehearsal.shop.product()
      const { livemode, created_at } = await heard(path, 'product.created')
      expect([livemode, created_at]).toEqual([false, product.created_at])
      expect(created_at.slice(0, 4)).toBe('2035')
      const [sent] = receiver.at(path)
      expect(() => verify(secret, sent!)).not.toThrow()
      expect(Math.abs(Number(sent!.headers['webhook-timestamp']) - Date.now() / 1000)).toBeLessThan(60)
    })
  })
})
