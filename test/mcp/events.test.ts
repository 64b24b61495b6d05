import { randomBytes } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bodyOf } from '../../src/events/message.ts'
import { memberOf, ownerOf } from '../support/dashboard.ts'
import { type Received, type Receiver, startReceiver, verify } from '../support/receiver.ts'
import { type Body, onEachEngine } from '../support/shop.ts'
import { settled } from '../support/webhooks.ts'
import { askModern } from './modern.ts'

const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`
const isChallenge = ({ body }: Received) => body.type === 'verification'
const echo = (response: ServerResponse, { body }: Received) =>
  response.end(body.type === 'verification' ? JSON.stringify({ challenge: body.challenge }) : '')

describe('The body of an event for an MCP client', () => {
  it('has only the id and the resource if it were larger than 256 KiB', () => {
    const json = JSON.stringify({ id: 'prod_1', object: 'product', name: 'é'.repeat(140_000) })
    const data = { id: 'prod_1', object: 'product', json, label: null }
    const dates = { createdAt: '2026-11-01T00:00:00Z', previousAttributes: null }
    const message = { id: 'whev_1', type: 'product.created', description: '', livemode: true, data, ...dates }
    expect(JSON.parse(bodyOf(message, 'mcp'))).toEqual({
      ...{ eventId: 'whev_1', name: 'product.created', timestamp: dates.createdAt, cursor: null },
      data: { id: 'prod_1', object: 'product' },
    })
  })
})

describe('Subscriptions of MCP clients to events', () => {
  let receiver: Receiver
  let made = 0
  beforeAll(async () => {
    receiver = await startReceiver()
  })
  afterAll(() => receiver.close())

  onEachEngine((shop) => {
    const ask = async (method: string, params: Body, token = shop.token): Promise<Body> =>
      (await askModern({ url: shop.running.url, token }, method, params)).body
    const callback = (answer: Parameters<Receiver['answers']['set']>[1] = echo) => {
      const path = `/mcp-${++made}`
      receiver.answers.set(path, answer)
      return path
    }
    const params = (path: string, secret: string, more: Body = {}) => ({
      ...{ name: 'tag.created', arguments: {}, cursor: null },
      delivery: { mode: 'webhook', url: receiver.url + path, secret },
      ...more,
    })
    const subscribed = async (more: Body = {}, token = shop.token) => {
      const [path, secret] = [callback(), newSecret()]
      const { result } = await ask('events/subscribe', params(path, secret, more), token)
      expect(result).toMatchObject({ resultType: 'complete', cursor: null, truncated: false })
      const { id, refreshBefore } = result
      return { path, secret, id: id as string, refreshBefore: refreshBefore as string }
    }
    const listed = async (token = shop.token) => {
      const names: string[] = []
      for (let cursor: string | undefined, more = true; more; more = cursor !== undefined) {
        const { result } = await ask('events/list', { cursor }, token)
        names.push(...result.events.map(({ name }: Body) => name))
        cursor = result.nextCursor
      }
      return names
    }
    const events = (path: string) => receiver.at(path).filter((one) => !isChallenge(one))
    const rowsAt = (path: string) =>
      shop.db
        .selectFrom('webhook_endpoints')
        .selectAll()
        .where('url', '=', receiver.url + path)
        .execute()

    it('are offered in the revision 2026-07-28, with the events that the token may read', async () => {
      expect((await ask('server/discover', {})).result.capabilities).toMatchObject({ events: {} })
      const { body } = await shop.running.api('GET', '/webhook_endpoints/events')
      expect(await listed()).toEqual(body)
    })

    it('are verified, and their events signed with the secret of the client', async () => {
      const { path, secret, id } = await subscribed()
      const tag = await shop.tag()
      const [first, event] = await receiver.until(2, path)
      for (const one of [first!, event!]) {
        expect(() => verify(secret, one)).not.toThrow()
        expect(one.headers['x-mcp-subscription-id']).toBe(id)
      }
      expect(first!.headers['webhook-id']).toMatch(/^msg_verification_/)
      const eventId = event!.headers['webhook-id']
      const timestamp = event!.body.timestamp
      expect(event!.body).toEqual({ eventId, name: 'tag.created', timestamp, data: tag, cursor: null })
      const [row] = await rowsAt(path)
      expect(JSON.stringify(row)).not.toContain(secret)
      const shown = await shop.get(`/webhook_endpoints/${row!.id}`)
      expect(shown).toMatchObject({ secret: null, description: expect.stringContaining('MCP client') })
      expect(await shop.refusal('PATCH', `/webhook_endpoints/${row!.id}`, { enabled_events: ['*'] })).toMatchObject({
        enabled_events: [expect.stringContaining('MCP client')],
      })
    })

    it('are refused if the callback does not echo, redirects, fails, or is private', async () => {
      const redirect = (response: ServerResponse) => response.writeHead(302, { location: `${receiver.url}/x` }).end()
      for (const [answer, reason] of [
        [200, 'challenge_failed'],
        [redirect, 'challenge_failed'],
        [404, 'http_4xx'],
        [500, 'http_5xx'],
      ] as const) {
        const path = callback(answer)
        const { error } = await ask('events/subscribe', params(path, newSecret()))
        expect(error).toMatchObject({ code: -32015, data: { reason } })
        expect(await rowsAt(path)).toEqual([])
      }
      for (const url of ['https://10.0.0.1/', 'http://example.com/', 'no url']) {
        const delivery = { mode: 'webhook', url, secret: newSecret() }
        expect((await ask('events/subscribe', params('', '', { delivery }))).error.code).toBe(-32602)
      }
      for (const wrong of [{ name: 'tag.creatd' }, { arguments: { a: 1 } }])
        expect((await ask('events/subscribe', params(callback(), newSecret(), wrong))).error.code).toBe(-32602)
      expect((await ask('events/subscribe', params(callback(), 'whsec_c2hvcnQ='))).error.code).toBe(-32602)
    })

    it('are refused for a URL that does not show what it is', async () => {
      for (const hidden of ['\0', '\n', ' ', '\u202e', '\ud800']) {
        const path = callback()
        const { error } = await ask('events/subscribe', params(`${path}${hidden}`, newSecret()))
        expect([error?.code, receiver.at(path)]).toEqual([-32602, []])
      }
    })

    it('are refused if the token is revoked while the URL is verified', async () => {
      const owner = await ownerOf(shop)
      const { id, value } = await owner.post('/api_tokens', { name: 'Ends' })
      const path = callback(async (response, received) => {
        await owner.delete(`/api_tokens/${id}`)
        echo(response, received)
      })
      const { error } = await ask('events/subscribe', params(path, newSecret()), value)
      expect([error?.code, await rowsAt(path)]).toEqual([-32012, []])
    })

    it('wait while five callbacks of the account are being verified', async () => {
      const { promise: answered, resolve: answerAll } = Promise.withResolvers<void>()
      let [open, most] = [0, 0]
      const slow = async (response: ServerResponse, received: Received) => {
        most = Math.max(most, ++open)
        await answered
        open -= 1
        echo(response, received)
      }
      const asked = Array.from({ length: 8 }, () => ask('events/subscribe', params(callback(slow), newSecret())))
      await expect.poll(() => open).toBeGreaterThanOrEqual(5)
      const other = await shop.running.another(`beside${++made}`)
      await subscribed({}, other.token)
      answerAll()
      for (const { result } of await Promise.all(asked)) expect(result.resultType).toBe('complete')
      expect(most).toBe(5)
    })

    it('end when the user of their token leaves the account', async () => {
      const member = await memberOf(shop, 'member')
      const { value } = await member.post('/api_tokens', { name: 'Leaves' })
      const { path } = await subscribed({}, value)
      await member.delete(`/members/${member.caller.userId}`)
      expect(await rowsAt(path)).toMatchObject([{ status: 'disabled' }])
    })

    it('are renewed by the same key, and end when they expire or are ended', async () => {
      const { path, secret, id, refreshBefore } = await subscribed({ ttlMs: 3_600_000 })
      expect(Date.parse(refreshBefore) - Date.now()).toBeLessThanOrEqual(3_600_000)
      const other = newSecret()
      const renewed = await ask('events/subscribe', params(path, other, { ttlMs: 7_200_000 }))
      expect(renewed.result.id).toBe(id)
      expect(renewed.result.refreshBefore > refreshBefore).toBe(true)
      expect(await rowsAt(path)).toHaveLength(1)
      await shop.tag()
      await receiver.until(3, path)
      expect(() => verify(other, events(path)[0]!)).not.toThrow()
      expect(() => verify(secret, events(path)[0]!)).toThrow()
      const past = '2026-01-01T00:00:00Z'
      await shop.running.app.database.transaction(({ db }) =>
        db.updateTable('webhook_endpoints').set({ expires_at: past }).where('subscription', '=', id).execute(),
      )
      await shop.tag()
      await settled(shop)
      expect(events(path)).toHaveLength(1)
      const ending = await subscribed()
      const { name, delivery } = params(ending.path, '')
      expect(await ask('events/unsubscribe', { name, arguments: {}, delivery: { url: delivery.url } })).toMatchObject({
        result: { resultType: 'complete' },
      })
      await shop.tag()
      await settled(shop)
      expect(events(ending.path)).toEqual([])
      expect([await rowsAt(ending.path), await rowsAt(path)]).toEqual([[], []])
    })

    it('end with their token, even for events that were due before', async () => {
      const owner = await ownerOf(shop)
      const { id, value } = await owner.post('/api_tokens', { name: 'Listens', right: 'read' })
      const { path } = await subscribed({}, value)
      receiver.answers.set(path, 500)
      await shop.tag()
      await receiver.until(2, path)
      await owner.delete(`/api_tokens/${id}`)
      await shop.running.app.database.transaction(({ db }) =>
        db.updateTable('webhook_events').set({ queue: 'due', due_ms: 0 }).where('queue', '=', 'waiting').execute(),
      )
      await shop.tag()
      await settled(shop)
      expect(events(path)).toHaveLength(1)
      expect(await rowsAt(path)).toMatchObject([{ status: 'disabled' }])
    })

    it('are checked at each delivery, even if the token was removed in another way', async () => {
      const owner = await ownerOf(shop)
      const { value } = await owner.post('/api_tokens', { name: 'Views', role: 'viewer' })
      expect(await listed(value)).toContain('tag.created')
      const { id, value: lost } = await owner.post('/api_tokens', { name: 'Lost' })
      const { path } = await subscribed({}, lost)
      await shop.running.app.database.transaction(({ db }) =>
        db.deleteFrom('api_tokens').where('id', '=', id).execute(),
      )
      await shop.tag()
      await settled(shop)
      expect(events(path)).toEqual([])
    })

    it('belong to one account and one token', async () => {
      const { path, id } = await subscribed()
      const other = await shop.running.another(`events${++made}`)
      const foreign = shop.as(other)
      await foreign.tag()
      const mine = params(path, newSecret())
      await ask('events/unsubscribe', mine, other.token)
      expect((await ask('events/subscribe', mine, other.token)).result.id).not.toBe(id)
      const tag = await shop.tag()
      await settled(shop)
      const sent = events(path).filter(({ headers }) => headers['x-mcp-subscription-id'] === id)
      expect(sent.map(({ body }) => body.data.id)).toEqual([tag.id])
    })

    it('are not retried after 413, and end with 410', async () => {
      for (const [status, expected] of [
        [413, 'active'],
        [410, 'disabled'],
      ] as const) {
        const { path, id } = await subscribed()
        receiver.answers.set(path, status)
        await shop.tag()
        await receiver.until(2, path)
        await settled(shop)
        const [row] = await rowsAt(path)
        expect([row!.status, row!.subscription]).toEqual([expected, id])
        expect((await shop.get(`/webhook_events?webhook_endpoint=${row!.id}`)).data).toMatchObject([
          { status: 'failed', attempts: 1 },
        ])
      }
    })
  })
})
