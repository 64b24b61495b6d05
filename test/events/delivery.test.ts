import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Receiver, startReceiver, verify } from '../support/receiver.ts'
import { type Body, onEachEngine } from '../support/shop.ts'
import { endpointsOf, settled } from '../support/webhooks.ts'

describe('An event', () => {
  let receiver: Receiver
  beforeAll(async () => {
    receiver = await startReceiver()
  })
  afterAll(() => receiver.close())

  onEachEngine((shop) => {
    const { endpoint, removeAll } = endpointsOf(shop, () => receiver)

    it('is sent as the contract says, signed in both ways over the exact bytes', async () => {
      const { path, secret } = await endpoint({ enabled_events: ['product.created'] })
      const product = await shop.product({ name: 'Ünïcode ☕ \u2028', metadata: { 10: 'a', 2: 'b' } })
      const [sent] = await receiver.until(1, path)
      const { headers, raw, body } = sent!
      expect(() => verify(secret, sent!)).not.toThrow()
      expect(() => verify(secret, { ...sent!, raw: `${raw} ` })).toThrow()
      expect(headers['x-webhook-hmac-sha256']).toBe(createHmac('sha256', secret).update(raw).digest('base64'))
      expect(headers).toMatchObject({
        'content-type': 'application/json; charset=utf-8',
        'user-agent': 'commerce-webhooks/1',
        'webhook-id': body.id,
        'x-webhook-event': 'product.created',
        'x-webhook-attempt': '1',
      })
      expect(Math.abs(Number(headers['webhook-timestamp']) - Date.now() / 1000)).toBeLessThan(60)
      const times = { created_at: body.created_at, timestamp: body.created_at }
      const head = { id: body.id, object: 'webhook_event', type: 'product.created', api_version: 'v1', livemode: true }
      expect(body).toEqual({ ...head, ...times, data: product })
      expect(raw).toBe(JSON.stringify(body))
      await removeAll()
    })

    it('leaves a record with its payload and what came of it', async () => {
      const { id, path } = await endpoint()
      const product = await shop.product()
      await receiver.until(1, path)
      await settled(shop)
      const [record] = (await shop.get(`/webhook_events?webhook_endpoint=${id}&status=delivered`)).data
      expect(record).toMatchObject({
        object: 'webhook_event',
        type: 'product.created',
        status: 'delivered',
        attempts: 1,
        response_status: 200,
        response_body: 'thanks',
        error_message: null,
        next_attempt_at: null,
        webhook_endpoint: id,
        payload: receiver.at(path)[0]!.body,
      })
      expect(record.id).toBe(record.payload.id)
      expect(record.delivered_at >= record.created_at).toBe(true)
      const expanded = await shop.get(`/webhook_events/${record.id}?expand=webhook_endpoint`)
      expect(expanded.webhook_endpoint).toMatchObject({ id, secret: null, failure_count: 0 })
      expect(expanded.webhook_endpoint.last_delivery_at).toBe(record.delivered_at)
      expect((await shop.get(`/webhook_events?type=product.deleted&webhook_endpoint=${id}`)).data).toEqual([])
      expect(await shop.refusal('GET', '/webhook_events?type=product.create')).toEqual([
        400,
        'parameter_invalid',
        'type',
      ])
      await shop.delete(`/products/${product.id}`)
      await removeAll()
    })

    it('goes to each endpoint that hears of it, under an id of its own', async () => {
      const all = await endpoint()
      const some = await endpoint({ enabled_events: ['tag.created', 'product.created', 'tag.created'] })
      const other = await endpoint({ enabled_events: ['tag.deleted'] })
      await shop.product()
      const [[first], [second]] = [await receiver.until(1, all.path), await receiver.until(1, some.path)]
      expect(first!.body.id).not.toBe(second!.body.id)
      const group = (id: string) => shop.get(`/webhook_events/${id}`).then((one) => one.event_group)
      expect(await group(first!.body.id)).toBe(await group(second!.body.id))
      expect(receiver.at(other.path)).toEqual([])
      await removeAll()
    })

    it('tells old values of a change, and confirms a deletion', async () => {
      const { path } = await endpoint()
      const { id } = await shop.product({ name: 'Old' })
      await shop.patch(`/products/${id}`, { name: 'New' })
      await shop.patch(`/products/${id}`, { name: 'New' })
      await shop.delete(`/products/${id}`)
      const sent = (await receiver.until(3, path)).toSorted((one, other) => (one.body.id < other.body.id ? -1 : 1))
      expect(sent.map(({ body }) => body.type)).toEqual(['product.created', 'product.updated', 'product.deleted'])
      expect(sent[1]!.body).toMatchObject({ data: { name: 'New' }, previous_attributes: { name: 'Old' } })
      expect(sent[0]!.body).not.toHaveProperty('previous_attributes')
      expect(sent[2]!.body.data).toEqual({ id, object: 'product', deleted: true })
      await removeAll()
    })

    it('is written in the order in which it was emitted', async () => {
      const { id: hook, path } = await endpoint()
      const { id } = await shop.product()
      await shop.price(id)
      await shop.discount({ applies_to_product_ids: [id] })
      await shop.delete(`/products/${id}`)
      await receiver.until(6, path)
      const types = await shop.listed(`/webhook_events?webhook_endpoint=${hook}`, 'type')
      expect(types.toReversed()).toEqual([
        'product.created',
        'price_variant.created',
        'discount.created',
        'discount.updated',
        'price_variant.deleted',
        'product.deleted',
      ])
      await removeAll()
    })

    it('is a line of plain words for Slack and Discord', async () => {
      const slack = await endpoint({ format: 'slack', enabled_events: ['product.created'] })
      const discord = await endpoint({ format: 'discord', enabled_events: ['product.created'] })
      const { id } = await shop.product({ name: 'A <!channel> & @everyone *b*' })
      const [one] = await receiver.until(1, slack.path)
      const [other] = await receiver.until(1, discord.path)
      expect(one!.body).toEqual({ text: `A product was created: A &lt;!channel&gt; &amp; @everyone *b* (${id})` })
      expect(other!.body).toEqual({
        content: `A product was created: A \\<!channel\\> & @\u200beveryone \\*b\\* (${id})`,
      })
      for (const [hook, sent] of [[slack, one!] as const, [discord, other!] as const])
        expect(() => verify(hook.secret, sent)).not.toThrow()
      await removeAll()
    })

    it('says only which resource it was, when it would be larger than 256 kB', async () => {
      const { path } = await endpoint({ enabled_events: ['product.updated'] })
      const { id } = await shop.product()
      await shop.patch(`/products/${id}`, { body_html: '\\'.repeat(100_000) })
      await shop.patch(`/products/${id}`, { body_html: '\\'.repeat(150_000) })
      const [large, small] = (await receiver.until(2, path)).toSorted((a, b) => a.raw.length - b.raw.length)
      expect(small!.body.data.body_html).toHaveLength(100_000)
      expect(large!.body).toMatchObject({ data: { id, object: 'product' }, truncated: true })
      expect(Object.keys(large!.body.data)).toEqual(['id', 'object'])
      await removeAll()
    })

    it('is not sent when a program is undone or only planned, and is when it is kept', async () => {
      const { path, id: hook } = await endpoint()
      const execute = async (code: string): Promise<Body> => {
        const { mcp, database } = shop.running.app
        const { user_id: userId } = (await database.read.selectFrom('memberships').selectAll().execute())[0]!
        const caller = { kind: 'session', sessionId: 's', accountId: shop.accountId, userId, role: 'owner' } as const
        return (await mcp.execute(caller, code, {})).body
      }
      expect(await execute('post("/tags", name: "Undone")\nraise "no"')).toHaveProperty('error')
      expect(await execute('# dry_run: true\npost("/tags", name: "Planned")')).toHaveProperty('plan')
      expect(await shop.listed(`/webhook_events?webhook_endpoint=${hook}`)).toEqual([])
      await execute('post("/tags", name: "Kept")\npost("/tags", name: "Kept too")')
      await receiver.until(2, path)
      expect(receiver.at(path).map(({ body }) => body.data.name)).toEqual(['Kept', 'Kept too'])
      await removeAll()
    })

    it('is not of another account', async () => {
      const { path } = await endpoint()
      const other = shop.as(await shop.running.another(`other-${shop.running.app.database.engine}`))
      await other.product()
      const own = await shop.product()
      const [sent] = await receiver.until(1, path)
      expect(sent!.body.data.id).toBe(own.id)
      await removeAll()
    })

    it('does not tell of the endpoints themselves, nor hold their secrets', async () => {
      const { path, secret, id } = await endpoint()
      await shop.patch(`/webhook_endpoints/${id}`, { description: 'Changed' })
      await shop.tag()
      await receiver.until(1, path)
      expect(receiver.at(path).map(({ body }) => body.type)).toEqual(['tag.created'])
      const stored = [
        await shop.db.selectFrom('events').selectAll().execute(),
        await shop.db.selectFrom('webhook_endpoints').selectAll().execute(),
      ]
      expect(JSON.stringify(stored)).not.toContain(secret.slice(6))
      await removeAll()
    })
  })
})
