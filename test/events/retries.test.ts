import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Receiver, startReceiver, verify } from '../support/receiver.ts'
import { type Body, onGateEngine, type Shop } from '../support/shop.ts'
import { endpointsOf, eventually, settled } from '../support/webhooks.ts'

const NINE_GAPS = { WEBHOOK_RETRY_GAPS: '0,0,0,0,0,0,0,0,0' }
const DAY_MS = 24 * 60 * 60 * 1000
const ago = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString().replace(/\.\d+/, '')

let receiver: Receiver
beforeAll(async () => {
  receiver = await startReceiver()
})
afterAll(() => receiver.close())

const deliveries = async (shop: Shop, hook: string): Promise<Body[]> =>
  (await shop.get(`/webhook_events?webhook_endpoint=${hook}&limit=100`)).data
const statuses = async (shop: Shop, hook: string) => (await deliveries(shop, hook)).map(({ status }) => status)

describe('A delivery that fails', () => {
  onGateEngine((shop) => {
    const { endpoint, removeAll } = endpointsOf(shop, () => receiver)

    it('is sent ten times, with the same id and body and new signatures, and has then failed', async () => {
      const { id, path, secret } = await endpoint()
      receiver.answers.set(path, (response) => response.writeHead(500).end(`\0broken${'x'.repeat(100_000)}`))
      await shop.tag()
      const sent = await receiver.until(10, path)
      await settled(shop)
      expect(sent.map(({ headers }) => Number(headers['x-webhook-attempt']))).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
      expect(new Set(sent.map(({ raw }) => raw)).size).toBe(1)
      expect(new Set(sent.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
      for (const one of sent) expect(() => verify(secret, one)).not.toThrow()
      const [record] = await deliveries(shop, id)
      expect(record).toMatchObject({
        status: 'failed',
        attempts: 10,
        response_status: 500,
        error_message: 'The endpoint answered 500.',
        next_attempt_at: null,
        delivered_at: null,
      })
      expect(record.response_body).toHaveLength(2048)
      expect(record.response_body.slice(0, 7)).toBe('\ufffdbroken')
      expect((await shop.get(`/webhook_endpoints/${id}`)).failure_count).toBe(10)
      expect(sent).toHaveLength(10)
      await removeAll()
    })

    it('is delivered by a later attempt, which resets the count of failures', async () => {
      const { id, path } = await endpoint()
      receiver.answers.set(path, (response, { headers }) => {
        response.writeHead(headers['x-webhook-attempt'] === '3' ? 204 : 503).end()
      })
      await shop.tag()
      await receiver.until(3, path)
      await settled(shop)
      expect(await deliveries(shop, id)).toMatchObject([
        { status: 'delivered', attempts: 3, response_status: 204, error_message: null },
      ])
      const { failure_count, last_delivery_at } = await shop.get(`/webhook_endpoints/${id}`)
      expect([failure_count, last_delivery_at !== null]).toEqual([0, true])
      await removeAll()
    })

    it('is not sent after a redirect', async () => {
      const { id, path } = await endpoint()
      receiver.answers.set(path, (response) => response.writeHead(307, { location: `${receiver.url}/elsewhere` }).end())
      await shop.tag()
      await receiver.until(10, path)
      await settled(shop)
      expect(await deliveries(shop, id)).toMatchObject([{ status: 'failed', response_status: 307 }])
      expect(receiver.at('/elsewhere')).toEqual([])
      await removeAll()
    })

    it('waits as long as the endpoint asks for, at most a day', async () => {
      for (const [asked, seconds] of [
        ['3600', 3600],
        [new Date(Date.now() + 7_200_000).toUTCString(), 7200],
        ['9999999', 86_400],
      ] as const) {
        const { id, path } = await endpoint()
        receiver.answers.set(path, (response) => response.writeHead(429, { 'retry-after': asked }).end())
        await shop.tag()
        await receiver.until(1, path)
        await settled(shop)
        const [record] = await deliveries(shop, id)
        expect(record).toMatchObject({ status: 'pending', attempts: 1, response_status: 429 })
        const waits = Date.parse(record.next_attempt_at) / 1000 - Date.parse(record.updated_at) / 1000
        expect(Math.abs(waits - seconds)).toBeLessThanOrEqual(2)
        await removeAll()
      }
    })

    it('disables an endpoint that answers 410, at once', async () => {
      const { id, path } = await endpoint()
      receiver.answers.set(path, (response) => response.writeHead(429, { 'retry-after': '3600' }).end())
      await shop.tag()
      await receiver.until(1, path)
      await settled(shop)
      receiver.answers.set(path, 410)
      await shop.tag()
      await receiver.until(2, path)
      await eventually(async () => (await shop.get(`/webhook_endpoints/${id}`)).status === 'disabled')
      expect(await statuses(shop, id)).toEqual(['failed', 'canceled'])
      await shop.tag()
      expect(await statuses(shop, id)).toHaveLength(2)
      await removeAll()
    })

    it('disables an endpoint that has failed for 5 days, and 20 times', async () => {
      const { id, path } = await endpoint()
      receiver.answers.set(path, 500)
      const since = (failing_since: string, failure_count: number) =>
        shop.running.app.database.transaction(({ db }) =>
          db
            .updateTable('webhook_queues')
            .set({ failing_since, failure_count })
            .where('endpoint_id', '=', id)
            .execute(),
        )
      const status = async () => (await shop.get(`/webhook_endpoints/${id}`)).status
      await since(ago(4.9), 25)
      await shop.tag()
      await receiver.until(10, path)
      await settled(shop)
      expect(await status()).toBe('active')
      await since(ago(5.1), 0)
      await shop.tag()
      await receiver.until(20, path)
      await settled(shop)
      expect(await status()).toBe('active')
      await shop.tag()
      await eventually(async () => (await status()) === 'disabled')
      expect((await statuses(shop, id)).slice(1)).toEqual(['failed', 'failed'])
      await removeAll()
    })
  }, NINE_GAPS)
})

describe('The next attempt', () => {
  onGateEngine(
    (shop) => {
      const { endpoint, removeAll } = endpointsOf(shop, () => receiver)
      const plan = async (id: string) => {
        const row = await shop.db.selectFrom('webhook_events').selectAll().where('webhook_endpoint', '=', id).execute()
        return row.map(({ due_ms, updated_at, queue }) => [queue, due_ms - Date.parse(updated_at)] as const)
      }

      it('is planned after its gap, a tenth more or less, and made when its time has come', async () => {
        const { id, path } = await endpoint()
        receiver.answers.set(path, 500)
        for (let count = 0; count < 5; count++) await shop.tag()
        await receiver.until(5, path)
        await eventually(async () => (await plan(id)).every(([queue]) => queue === 'waiting'))
        const gaps = (await plan(id)).map(([, gap]) => gap)
        // Times of records are whole seconds.
        for (const gap of gaps) expect(gap >= 90_000 && gap <= 111_000).toBe(true)
        expect(new Set(gaps).size).toBeGreaterThan(1)
        await shop.running.app.database.transaction(({ db }) =>
          db.updateTable('webhook_events').set({ due_ms: Date.now() }).where('webhook_endpoint', '=', id).execute(),
        )
        await receiver.until(10, path)
        expect(
          receiver
            .at(path)
            .slice(5)
            .map(({ headers }) => headers['x-webhook-attempt']),
        ).toEqual(Array(5).fill('2'))
        await removeAll()
      })

      it('is given up when the endpoint is disabled or deleted; what happens meanwhile is not recorded', async () => {
        const { id, path } = await endpoint()
        receiver.answers.set(path, 500)
        const failing = async () => {
          const before = receiver.at(path).length
          await shop.tag()
          await receiver.until(before + 1, path)
          await eventually(async () => (await plan(id)).every(([queue]) => queue !== 'due'))
        }
        await failing()
        await shop.patch(`/webhook_endpoints/${id}`, { status: 'disabled' })
        expect(await statuses(shop, id)).toEqual(['canceled'])
        await shop.tag()
        await shop.patch(`/webhook_endpoints/${id}`, { status: 'active' })
        expect(await statuses(shop, id)).toEqual(['canceled'])
        expect((await shop.get(`/webhook_endpoints/${id}`)).failure_count).toBe(0)
        await failing()
        await shop.delete(`/webhook_endpoints/${id}`)
        expect(await statuses(shop, id)).toEqual(['canceled', 'canceled'])
        expect((await deliveries(shop, id))[0]).toMatchObject({ next_attempt_at: null, attempts: 1 })
      })

      it('is given up for thousands of deliveries, without holding up the request', async () => {
        const { id } = await endpoint({ enabled_events: ['customer.confirmed'] })
        const now = ago(0)
        const rows = Array.from({ length: 1_800 }, (_, index) => ({
          ...{ account_id: shop.accountId, id: `whev_0${String(index).padStart(25, '0')}`, webhook_endpoint: id },
          ...{ type: 'customer.confirmed', api_version: 'v1', event_group: 'evt_1', status: 'pending' as const },
          ...{ attempts: 1, response_status: null, response_body: null, error_message: null, next_attempt_at: now },
          ...{ delivered_at: null, queue: 'waiting', due_ms: Date.now() + DAY_MS, finished_at: null, payload: '{}' },
          ...{ created_at: now, updated_at: now },
        }))
        await shop.running.app.database.transaction(async ({ db }) => {
          for (const start of [0, 600, 1200])
            await db
              .insertInto('webhook_events')
              .values(rows.slice(start, start + 600))
              .execute()
        })
        await shop.delete(`/webhook_endpoints/${id}`)
        await eventually(async () => {
          const pending = shop.db.selectFrom('webhook_events').select('id').where('webhook_endpoint', '=', id)
          return (await pending.where('status', '=', 'pending').execute()).length === 0
        })
      })
    },
    { WEBHOOK_RETRY_GAPS: '100,100' },
  )
})
