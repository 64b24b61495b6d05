import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DashboardUser, ownerOf } from '../../support/dashboard.ts'
import { type Receiver, startReceiver, verify } from '../../support/receiver.ts'
import { type Body, onGateEngine } from '../../support/shop.ts'

describe('Deliveries of webhooks', () => {
  onGateEngine(
    (shop) => {
      let owner: DashboardUser
      let receiver: Receiver

      beforeAll(async () => {
        owner = await ownerOf(shop)
        receiver = await startReceiver()
      })
      afterAll(() => receiver.close())

      /** An endpoint at a path, and the one delivery that a new tag makes for it. */
      async function delivered(path: string, status: number) {
        receiver.answers.set(path, status)
        const endpoint = await shop.post('/webhook_endpoints', {
          url: `${receiver.url}${path}`,
          enabled_events: ['tag.created'],
        })
        const tag = await shop.tag()
        const find = async (): Promise<Body> =>
          (await owner.get('/webhook_events', { webhook_endpoint: endpoint.id })).data[0]
        const until = (expected: object) => expect.poll(find, { timeout: 15_000 }).toMatchObject(expected)
        return { endpoint, tag, find, until }
      }

      const attemptsOf = async ({ id }: Body) => (await owner.get('/webhook_attempts', { webhook_event: id })).data

      it('show each attempt with its time, answer and headers, and can be sent again', async () => {
        const { endpoint, find, until } = await delivered('/broken', 500)
        await until({ status: 'failed', attempts: 2 })
        const delivery = await find()
        const [second, first] = await attemptsOf(delivery)
        expect(first).toMatchObject({ number: 1, response_status: 500, response_body: 'thanks' })
        expect(second).toMatchObject({ number: 2, error_message: 'The endpoint answered 500.' })
        const [sent] = receiver.at('/broken')
        const { request_headers } = first
        for (const [name, value] of Object.entries(request_headers as Record<string, string>))
          if (name !== 'webhook-timestamp') expect([name, sent!.headers[name.toLowerCase()]]).toEqual([name, value])
        expect(
          Math.abs(Number(sent!.headers['webhook-timestamp']) - request_headers['webhook-timestamp']),
        ).toBeLessThan(2)
        receiver.answers.set('/broken', 200)
        expect(await owner.post(`/webhook_events/${delivery.id}/resend`)).toMatchObject({ status: 'pending' })
        await until({ status: 'delivered', attempts: 3 })
        const last = receiver.at('/broken').at(-1)!
        verify(endpoint.secret, last)
        expect([last.headers['webhook-id'], last.raw]).toEqual([delivery.id, sent!.raw])
        expect((await attemptsOf(delivery)).map(({ number }: Body) => number)).toEqual([3, 2, 1])
      })

      it('can be sent again after their endpoint was disabled and enabled', async () => {
        const { endpoint, find, until } = await delivered('/gone', 410)
        await until({ status: 'failed', attempts: 1 })
        const { id } = await find()
        expect((await owner.try('POST', `/webhook_events/${id}/resend`, {}))[1].error.message).toContain('disabled')
        await shop.patch(`/webhook_endpoints/${endpoint.id}`, { status: 'active' })
        receiver.answers.set('/gone', 200)
        await owner.post(`/webhook_events/${id}/resend`)
        await until({ status: 'delivered', attempts: 2 })
        await shop.delete(`/webhook_endpoints/${endpoint.id}`)
        expect((await owner.try('POST', `/webhook_events/${id}/resend`, {}))[1].error.message).toContain('deleted')
      })

      it('are those of an event, which the log shows with what it said', async () => {
        const { tag, until, find } = await delivered('/logged', 200)
        await until({ status: 'delivered' })
        const { data } = await owner.get('/event_log', { resource_id: tag.id })
        expect(data).toMatchObject([{ type: 'tag.created', data: { id: tag.id, name: tag.name } }])
        const deliveries = await owner.get(`/event_log/${data[0].id}/deliveries`)
        expect(deliveries.data.map(({ id }: Body) => id)).toContain((await find()).id)
        await shop.patch(`/tags/${tag.id}`, { name: 'Renamed' })
        const changed = (await owner.get('/event_log', { type: 'tag.updated', resource_id: tag.id })).data[0]
        expect(changed.previous_attributes).toMatchObject({ name: tag.name })
        expect(await owner.get(`/event_log/${changed.id}`)).toMatchObject({ data: { name: 'Renamed' } })
        expect((await owner.get('/event_log', { created_at: { gt: '2100-01-01' } })).data).toEqual([])
      })

      it('are of one account', async () => {
        const { find, until } = await delivered('/own', 200)
        await until({ status: 'delivered' })
        const delivery = await find()
        const stranger = await ownerOf(shop.as(await shop.running.another('stranger')))
        expect((await stranger.try('POST', `/webhook_events/${delivery.id}/resend`, {}))[0]).toBe(404)
        expect((await stranger.get('/webhook_attempts', { webhook_event: delivery.id })).data).toEqual([])
        const [event] = (await owner.get('/event_log')).data
        for (const path of [`/event_log/${event.id}`, `/event_log/${event.id}/deliveries`])
          expect((await stranger.try('GET', path))[0]).toBe(404)
        expect((await stranger.get('/event_log', { resource_id: event.resource_id })).data).toEqual([])
        expect((await shop.api('POST', `/webhook_events/${delivery.id}/resend`)).status).toBe(404)
      })
    },
    { WEBHOOK_RETRY_GAPS: '1' },
  )
})
