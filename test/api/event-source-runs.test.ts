import { describe, expect, it } from 'vitest'
import { comeNow, nextJob, rowOf, startTask } from '../support/feed.ts'
import { type Body, onGateEngine, type Shop } from '../support/shop.ts'

const WEBHOOK = { provider: 'webhook', event_type: 'received' }

describe('The events of a source', () => {
  onGateEngine((shop) => {
    const webhook = (): Promise<Body> => shop.post('/event_sources', WEBHOOK)
    const schedule = (at: Shop, config: object): Promise<Body> =>
      at.post('/event_sources', { provider: 'schedule', event_type: 'due', config })
    const send = async (url: string, body: unknown, headers: Record<string, string> = {}) => {
      const options = { method: 'POST', body: JSON.stringify(body) }
      const answer = await fetch(url, { ...options, headers: { 'Content-Type': 'application/json', ...headers } })
      expect(answer.status).toBe(202)
    }

    it('start a run of each task that listens, with what was posted', async () => {
      const [source, other] = [await webhook(), await webhook()]
      const tasks = [await startTask(shop, source.id), await startTask(shop, source.id)]
      const deaf = await startTask(shop, other.id)
      await send(source.ingest_url, { order: 1, text: 'a\0b' })
      await send(source.ingest_url, ['not', 'an', 'object'])
      for (const task of tasks)
        expect(await task.heard()).toEqual([{ order: 1, text: 'a\0b' }, { body: ['not', 'an', 'object'] }])
      expect(await deaf.heard()).toEqual([])
    })

    it('start one run where a delivery is repeated, also at the same time', async () => {
      const { id, ingest_url } = await webhook()
      const task = await startTask(shop, id)
      for (const header of ['webhook-id', 'Idempotency-Key']) {
        const key = { [header]: `${header} 1` }
        await Promise.all(Array.from({ length: 8 }, () => send(ingest_url, { header }, key)))
        await send(ingest_url, { header }, key)
      }
      expect(await task.heard()).toEqual([{ header: 'webhook-id' }, { header: 'Idempotency-Key' }])
      const another = await webhook()
      const listening = await startTask(shop, another.id)
      await send(another.ingest_url, {}, { 'webhook-id': 'webhook-id 1' })
      expect(await listening.heard()).toEqual([{}])
    })

    it('start nothing while a task is paused, and nothing of another account', async () => {
      const { id, ingest_url } = await webhook()
      const task = await startTask(shop, id)
      await shop.patch(`/tasks/${task.id}`, { active: false })
      await send(ingest_url, {})
      expect(await task.heard()).toEqual([])
      const stranger = shop.as(await shop.running.another('listener'))
      const body = { name: 'Listen', prompt: 'Look.', trigger_type: 'event', event_source: id }
      expect((await stranger.api('POST', '/tasks', body)).status).toBe(404)
    })

    it('keep their source from being deleted while an active task uses it', async () => {
      const { id } = await webhook()
      const task = await startTask(shop, id)
      expect(await shop.refusal('DELETE', `/event_sources/${id}`)).toEqual([400, 'resource_in_use'])
      await shop.patch(`/tasks/${task.id}`, { active: false })
      const events = await shop.eventsOf(() => shop.delete(`/event_sources/${id}`))
      expect(events.map(({ type }) => type)).toEqual(['ai_task.updated', 'event_source.deleted'])
      expect((await shop.get(`/tasks/${task.id}`)).event_source).toBeNull()
      expect(await shop.refusal('PATCH', `/tasks/${task.id}`, { active: true })).toHaveProperty('trigger_type')
    })

    it('of a schedule happen at its times by the clock of the account', async () => {
      const rehearsal = await shop.running.another('rehearsal', { test: true })
      const there = shop.as(rehearsal)
      const source = await schedule(there, { cron_expression: '30 9 * * *', timezone: 'Europe/Berlin' })
      const task = await startTask(there, source.id)
      const { moment } = JSON.parse((await nextJob(shop, source.id)).payload)
      const days = (count: number) => new Date(Date.parse(moment) + count * 86_400_000).toISOString()
      await shop.running.app.advanceClock(rehearsal.accountId, `${days(2).slice(0, 19)}Z`)
      const times = (await task.heard()).map(({ scheduled_for }) => scheduled_for)
      expect([times.length, times[0]]).toEqual([3, moment])
      const clock = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone: 'Europe/Berlin' })
      for (const time of times) expect(clock.format(new Date(time))).toBe('09:30')
      expect((await there.get(`/event_sources/${source.id}`)).last_event_at).toBe(times.at(-1))
    })

    it('of a schedule that was missed happen once, late', async () => {
      const { id } = await schedule(shop, { cron_expression: '0 * * * *' })
      const task = await startTask(shop, id)
      const missed = '2026-01-01T00:00:00Z'
      const payload = JSON.stringify({ source: id, moment: missed })
      await shop.set('jobs', (await rowOf(shop, id)).job!, { payload, run_at: missed })
      await comeNow(shop, id)
      expect(await task.heard()).toEqual([{ scheduled_for: missed }])
      const { run_at } = await nextJob(shop, id)
      expect(Date.parse(run_at)).toBeGreaterThan(Date.now())
      expect(run_at).toMatch(/:00:00Z$/)
    })
  })
})
