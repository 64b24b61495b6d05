import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Receiver, startReceiver, verify } from '../support/receiver.ts'
import { onGateEngine } from '../support/shop.ts'
import { endpointsOf } from '../support/webhooks.ts'

let receiver: Receiver
beforeAll(async () => {
  receiver = await startReceiver()
})
afterAll(() => receiver.close())

const PATH = '/webhook_endpoints'
const EVENTS = ['product.created']
/** Nobody resolves it, so that no test depends on a network. */
const URL = 'https://hooks.example.invalid/in'

describe('A webhook endpoint', () => {
  onGateEngine((shop) => {
    const { endpoint, removeAll } = endpointsOf(shop, () => receiver)

    it('shows its secret when it is created, and never again', async () => {
      const created = await shop.post(PATH, { url: URL, enabled_events: EVENTS, description: 'Archive' })
      expect(created).toMatchObject({
        object: 'webhook_endpoint',
        url: URL,
        status: 'active',
        format: 'raw',
        api_version: 'v1',
        enabled_events: EVENTS,
        description: 'Archive',
        last_delivery_at: null,
        failure_count: 0,
      })
      expect(created.id).toMatch(/^wh_/)
      expect(created.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
      expect(Buffer.from(created.secret.slice(6), 'base64')).toHaveLength(32)
      const later = [
        await shop.get(`${PATH}/${created.id}`),
        await shop.patch(`${PATH}/${created.id}`, { description: null }),
        ...(await shop.get(PATH)).data,
      ]
      for (const one of later) expect(one.secret).toBeNull()
      const other = await shop.post(PATH, { url: URL, enabled_events: EVENTS })
      expect(other.secret).not.toBe(created.secret)
      await removeAll()
    })

    it('gives the first answer, secret and all, to a repeated Idempotency-Key', async () => {
      const headers = { 'Idempotency-Key': `hook-${Math.random()}` }
      const body = { url: URL, enabled_events: EVENTS }
      const first = await shop.api('POST', PATH, body, { headers })
      const second = await shop.api('POST', PATH, body, { headers })
      expect([first.status, second.body]).toEqual([201, first.body])
      await removeAll()
    })

    it('takes known event types alone, once each, or * for all', async () => {
      const refused = (enabled_events: unknown) => shop.refusal('POST', PATH, { url: URL, enabled_events })
      expect(await refused(['product.create', 'tag.created'])).toEqual({
        'enabled_events.0': ['is not an event type (did you mean "product.created"?); GET /events lists them'],
      })
      expect(await refused(['webhook_endpoint.created'])).toHaveProperty(['enabled_events.0'])
      expect(await refused([])).toEqual({ enabled_events: ['must contain an event type, or "*" for all'] })
      expect(await refused(undefined)).toEqual([400, 'parameter_missing', 'enabled_events'])
      const { id } = await shop.post(PATH, { url: URL, enabled_events: ['tag.created', 'tag.created'] })
      expect((await shop.get(`${PATH}/${id}`)).enabled_events).toEqual(['tag.created'])
      const all = await shop.patch(`${PATH}/${id}`, { enabled_events: ['tag.created', '*'] })
      expect(all.enabled_events).toEqual(['*'])
      await removeAll()
    })

    it('has a public https address, on create and on change', async () => {
      const { id } = await shop.post(PATH, { url: URL, enabled_events: EVENTS })
      for (const [url, problem] of [
        ['http://example.com/in', 'must start with https://'],
        ['ftp://example.com/in', 'must be a URL such as https://example.com/webhooks'],
        ['nonsense', 'must be a URL such as https://example.com/webhooks'],
        ['https://10.0.0.1/in', 'must be a public address, not one in a private network or of this machine'],
        ['https://user:secret@example.com', 'must not contain a user name or a password'],
        ['https://example.com:22', 'must not have a port below 1024 other than 80 and 443'],
        [`https://example.com/${'x'.repeat(2048)}`, 'is too long (maximum is 2048 characters)'],
      ]) {
        expect(await shop.refusal('POST', PATH, { url, enabled_events: EVENTS })).toEqual({ url: [problem] })
        expect(await shop.refusal('PATCH', `${PATH}/${id}`, { url })).toEqual({ url: [problem] })
      }
      expect(await shop.refusal('PATCH', `${PATH}/wh_00000000000000000000000000`, { url: 'http://x.example' })).toEqual(
        [404, 'resource_missing'],
      )
      await removeAll()
    })

    it('is one of twenty at most', async () => {
      for (let count = 0; count < 20; count++) await endpoint()
      expect(await shop.refusal('POST', PATH, { url: URL, enabled_events: EVENTS })).toHaveProperty('base')
      await shop.delete(`${PATH}/${(await shop.listed(PATH))[0]}`)
      await endpoint()
      await removeAll()
    })

    it('is listed by status', async () => {
      const [one, other] = [await endpoint(), await endpoint({ status: 'disabled' })]
      expect(await shop.listed(`${PATH}?status=active`)).toEqual([one.id])
      expect(await shop.listed(`${PATH}?status=disabled`)).toEqual([other.id])
      await removeAll()
    })
  })
})

describe('The test of a webhook endpoint', () => {
  onGateEngine((shop) => {
    const { endpoint, removeAll } = endpointsOf(shop, () => receiver)

    it('sends a signed sample of each event type, and stores nothing', async () => {
      const { id, path, secret } = await endpoint()
      const types: string[] = (await shop.listed('/events?limit=100', 'name')) as string[]
      for (const event_type of types) {
        const answer = await shop.post(`${PATH}/${id}/test`, { event_type })
        expect(answer).toMatchObject({ object: 'webhook_test', delivered: true, event_type, response_status: 200 })
        expect(answer.duration_ms).toBeGreaterThanOrEqual(0)
        const sent = receiver.at(path).at(-1)!
        expect(() => verify(secret, sent)).not.toThrow()
        expect(sent.headers['x-webhook-hmac-sha256']).toBe(
          createHmac('sha256', secret).update(sent.raw).digest('base64'),
        )
        expect(sent.body).toMatchObject({ type: event_type, test: true, livemode: true })
        expect('previous_attributes' in sent.body).toBe(event_type.endsWith('.updated'))
        expect(sent.body.data.id).toMatch(/^[a-z]+_[0-9a-z]{26}$/)
      }
      expect(receiver.at(path)).toHaveLength(types.length)
      expect(await shop.listed('/webhook_events')).toEqual([])
      await removeAll()
    })

    it('takes the first enabled type, or the one that body or query asks for', async () => {
      const { id } = await endpoint({ enabled_events: ['tag.created', 'tag.deleted'] })
      expect((await shop.post(`${PATH}/${id}/test`)).event_type).toBe('tag.created')
      expect((await shop.post(`${PATH}/${id}/test?event_type=tag.deleted`)).event_type).toBe('tag.deleted')
      const wrong = { event_type: 'tag.create' }
      expect(await shop.refusal('POST', `${PATH}/${id}/test`, wrong)).toEqual([400, 'parameter_invalid', 'event_type'])
      await removeAll()
    })

    it('sends once, however often its Idempotency-Key comes', async () => {
      const { id, path } = await endpoint()
      const headers = { 'Idempotency-Key': `test-${Math.random()}` }
      const first = await shop.api('POST', `${PATH}/${id}/test`, {}, { headers })
      const second = await shop.api('POST', `${PATH}/${id}/test`, {}, { headers })
      expect([second.status, second.body]).toEqual([200, first.body])
      expect(receiver.at(path)).toHaveLength(1)
      await removeAll()
    })

    it('is 502 when the endpoint does not acknowledge, and 400 when it is disabled', async () => {
      const { id, path } = await endpoint()
      receiver.answers.set(path, 500)
      const { status, body } = await shop.api('POST', `${PATH}/${id}/test`)
      expect([status, body.error.type, body.error.code]).toEqual([502, 'api_error', 'webhook_delivery_failed'])
      expect(body.error.message).toBe('The test event was not delivered. The endpoint answered 500.')
      await shop.patch(`${PATH}/${id}`, { status: 'disabled' })
      expect(await shop.refusal('POST', `${PATH}/${id}/test`)).toEqual([400, 'invalid_state'])
      expect(await shop.refusal('POST', `${PATH}/wh_00000000000000000000000000/test`)).toEqual([
        404,
        'resource_missing',
      ])
      await removeAll()
    })
  })
})

describe('The event types', () => {
  onGateEngine((shop) => {
    it('are listed by name, page by page, by resource, each with a sentence', async () => {
      const all = (await shop.get('/events?limit=100')).data
      const names = all.map(({ name }: { name: string }) => name)
      expect(names).toEqual(names.toSorted())
      expect(names).toEqual(expect.arrayContaining(['customer.confirmed', 'lead.created', 'product.created']))
      for (const type of all) {
        expect(type).toMatchObject({ object: 'event_type', description: expect.stringMatching(/^[A-Z].+\.$/) })
        expect(Object.keys(type)).toEqual(['object', 'name', 'resource', 'description'])
      }
      const seen: string[] = []
      for (let more = true; more; ) {
        const page = await shop.get(`/events?limit=4${seen.length > 0 ? `&starting_after=${seen.at(-1)}` : ''}`)
        seen.push(...page.data.map(({ name }: { name: string }) => name))
        more = page.has_more
      }
      expect(seen).toEqual(names)
      expect(await shop.listed('/events?resource=customer', 'name')).toEqual([
        'customer.confirmed',
        'customer.created',
        'customer.deleted',
        'customer.updated',
        'lead.created',
      ])
      expect(await shop.refusal('GET', '/events?resource=custmer')).toEqual([400, 'parameter_invalid', 'resource'])
      expect(await shop.refusal('GET', '/events?starting_after=x')).toEqual([
        400,
        'parameter_invalid',
        'starting_after',
      ])
    })

    it('are given as names alone at their older address', async () => {
      const { status, body } = await shop.running.api('GET', '/webhook_endpoints/events')
      expect([status, body]).toEqual([200, await shop.listed('/events?limit=100', 'name')])
    })
  })
})
