import { beforeEach, describe, expect, it } from 'vitest'
import { type Body, onEachEngine, type Shop } from '../support/shop.ts'
import { manyRuns, runsOf } from './support.ts'

const PROGRAM = '# ruby\nputs 1'
let made = 0

describe('A task with a schedule', { timeout: 120_000 }, () => {
  onEachEngine((shop) => {
    let test: Shop
    beforeEach(async () => {
      test = shop.as(await shop.running.another(`scheduled-${++made}`, { test: true }))
      await advance('2027-03-27T00:00:00Z')
    })
    const advance = (to: string) => shop.running.app.advanceClock(test.accountId, to)
    const create = (values: object): Promise<Body> =>
      test.post('/tasks', { name: 'Scheduled', prompt: PROGRAM, trigger_type: 'schedule', ...values })
    const timesOf = async (task: string) =>
      (await test.listed(`/task_runs?ai_task_id=${task}&limit=100`, 'created_at')).reverse()

    it('runs at each of its times, also when daylight saving skips one', async () => {
      const { id, next_run_at } = await create({ cron_expression: '30 2 * * *', timezone: 'Europe/Berlin' })
      expect(next_run_at).toBe('2027-03-27T01:30:00Z')
      await advance('2027-03-30T00:00:00Z')
      expect(await timesOf(id)).toEqual(['2027-03-27T01:30:00Z', '2027-03-28T01:00:00Z', '2027-03-29T00:30:00Z'])
      expect(await test.get(`/tasks/${id}`)).toMatchObject({ runs_count: 3, next_run_at: '2027-03-30T00:30:00Z' })
      const [run] = await runsOf(test, id, 3)
      expect(run).toMatchObject({ status: 'completed', started_at: '2027-03-27T01:30:00Z' })
    })

    it('runs once when daylight saving shows a time twice', async () => {
      await advance('2027-10-30T12:00:00Z')
      const { id } = await create({ cron_expression: '30 2 * * *', timezone: 'Europe/Berlin' })
      await advance('2027-11-01T12:00:00Z')
      expect(await timesOf(id)).toEqual(['2027-10-31T00:30:00Z', '2027-11-01T01:30:00Z'])
    })

    it('runs at an interval from its beginning, and anew from a change', async () => {
      const { id } = await create({ interval_seconds: 3600 })
      await advance('2027-03-27T02:30:00Z')
      const [first, second] = (await timesOf(id)) as [string, string]
      expect(Date.parse(second) - Date.parse(first)).toBe(3_600_000)
      const changed = await test.patch(`/tasks/${id}`, { interval_seconds: 7200 })
      expect(changed.next_run_at >= '2027-03-27T04:30:00Z').toBe(true)
      await advance('2027-03-27T05:00:00Z')
      expect(await timesOf(id)).toEqual([first, second, changed.next_run_at])
    })

    it('is paused when it runs too often, as one that sets its own next moment', async () => {
      const task = await create({ interval_seconds: 60 })
      await manyRuns(test, task, 1_000, '2027-03-27T00:00:30Z')
      await advance('2027-03-27T00:10:00Z')
      expect(await test.get(`/tasks/${task.id}?expand=last_run`)).toMatchObject({
        ...{ active: false, next_run_at: null, runs_count: 1 },
        last_run: { status: 'failed', error_message: expect.stringMatching(/^The task ran 1000 times within an hour/) },
      })
    })

    it('runs once at a moment', async () => {
      const { id } = await create({ scheduled_at: '2027-03-27T12:00:00Z' })
      await advance('2027-03-28T00:00:00Z')
      expect(await timesOf(id)).toEqual(['2027-03-27T12:00:00Z'])
      expect(await test.get(`/tasks/${id}`)).toMatchObject({ next_run_at: null, active: true })
    })

    it('becomes inactive at its end', async () => {
      const { id } = await create({ interval_seconds: 3600, expires_at: '2027-03-27T02:30:00Z' })
      await advance('2027-03-27T06:00:00Z')
      expect(await timesOf(id)).toHaveLength(2)
      expect(await test.get(`/tasks/${id}`)).toMatchObject({ active: false, next_run_at: null })
      const updated = shop.db.selectFrom('events').select('created_at').where('resource_id', '=', id)
      expect(await updated.where('type', '=', 'ai_task.updated').execute()).toEqual([
        { created_at: '2027-03-27T02:30:00Z' },
      ])
    })

    it('starts nothing while it is paused', async () => {
      const { id } = await create({ interval_seconds: 3600 })
      await test.patch(`/tasks/${id}`, { active: false })
      await advance('2027-03-28T00:00:00Z')
      expect(await timesOf(id)).toEqual([])
    })

    it('leaves one run to an agent that does not come, not one for each time', async () => {
      const { id } = await create({ interval_seconds: 3600, prompt: 'Write a letter.' })
      await advance('2027-03-28T00:00:00Z')
      expect(await timesOf(id)).toHaveLength(1)
    })

    it('runs once for all times that were missed, and goes on in the future', async () => {
      const before = `${new Date(Date.now() - 5 * 3_600_000).toISOString().slice(0, 19)}Z`
      const task = await shop.post('/tasks', {
        ...{ name: 'Missed', prompt: PROGRAM, trigger_type: 'schedule', cron_expression: '0 0 1 1 *' },
      })
      await shop.set('tasks', task.id, { next_run_at: before })
      const { due_job } = await shop.db
        .selectFrom('tasks')
        .select('due_job')
        .where('id', '=', task.id)
        .executeTakeFirstOrThrow()
      await shop.set('jobs', due_job!, { run_at: before })
      const runs = await runsOf(shop, task.id, 1)
      await shop.settled()
      expect(runs).toHaveLength(1)
      const { runs_count, next_run_at } = await shop.get(`/tasks/${task.id}`)
      expect(runs_count).toBe(1)
      expect(Date.parse(next_run_at)).toBeGreaterThan(Date.now() - 2_000)
      await shop.delete(`/tasks/${task.id}`)
    })
  })
})
