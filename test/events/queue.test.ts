import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { onEachEngine } from '../support/shop.ts'
import { endpointsOf, enqueue, settled } from '../support/webhooks.ts'

/** More than one endpoint may have unwritten at a time, and more than one turn lasts. */
const QUEUED = 1_500
const SLOW_WRITE_MS = 400

describe('A long queue', () => {
  let receiver: Receiver
  beforeAll(async () => {
    receiver = await startReceiver()
  })
  afterAll(() => receiver.close())

  onEachEngine((shop) => {
    const { endpoint, removeAll } = endpointsOf(shop, () => receiver)
    const idsAt = (path: string) => receiver.at(path).map(({ headers }) => headers['webhook-id'])

    it('is delivered to its end, once, and begun in the order of its making', async () => {
      const { id, path } = await endpoint({ enabled_events: ['customer.confirmed'] })
      const ids = await enqueue(shop, id, QUEUED)
      await receiver.until(QUEUED, path)
      await settled(shop)
      const arrived = idsAt(path)
      expect(arrived.toSorted()).toEqual(ids)
      // Four are under way at a time, so that each arrives among its neighbours.
      const places = new Map(ids.map((one, index) => [one, index]))
      for (const [index, one] of arrived.entries()) expect(Math.abs(places.get(String(one))! - index)).toBeLessThan(8)
      await removeAll()
    })

    it('is delivered to its end, once, when the database takes long to write', async () => {
      const { id, path } = await endpoint({ enabled_events: ['customer.confirmed'] })
      const { database } = shop.running.app
      const { transaction } = database
      const ids = await enqueue(shop, id, QUEUED)
      database.transaction = async (work, options) => {
        await delay(SLOW_WRITE_MS)
        return transaction.call(database, work, options) as ReturnType<typeof work>
      }
      await receiver.until(QUEUED, path)
      await settled(shop)
      database.transaction = transaction
      expect(idsAt(path).toSorted()).toEqual(ids)
      await removeAll()
    })

    it('is canceled when its endpoint is disabled or deleted in the middle of it', async () => {
      for (const stop of ['PATCH', 'DELETE']) {
        const { id, path } = await endpoint({ enabled_events: ['customer.confirmed'] })
        await enqueue(shop, id, QUEUED)
        await receiver.until(50, path)
        const { status } = await shop.api(stop, `/webhook_endpoints/${id}`, { status: 'disabled' })
        expect([stop, status]).toEqual([stop, 200])
        await settled(shop)
        expect((await shop.get(`/webhook_events?webhook_endpoint=${id}&status=pending`)).data).toEqual([])
        const delivered = shop.db.selectFrom('webhook_events').select('id').where('webhook_endpoint', '=', id)
        expect((await delivered.where('status', '=', 'canceled').execute()).length).toBeGreaterThan(0)
      }
      await removeAll()
    })
  })
})
