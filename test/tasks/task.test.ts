import { describe, expect, it } from 'vitest'
import { type Body, onGateEngine } from '../support/shop.ts'

const words = { name: 'Report', prompt: 'Write a report.' }
const nightly = { ...words, trigger_type: 'schedule', cron_expression: '0 2 * * *' }
const greeting = { ...words, trigger_type: 'event', event_types: ['customer.created'] }
const FUTURE = '2099-01-01T00:00:00Z'
const PAST = '2020-01-01T00:00:00Z'

describe('A task', () => {
  onGateEngine((shop) => {
    const create = (values: object = {}): Promise<Body> => shop.post('/tasks', { ...words, ...values })

    it('is made by hand unless it says otherwise, and starts a run that waits for an agent', async () => {
      const task = await create()
      expect(task).toMatchObject({
        id: expect.stringMatching(/^aitask_/),
        object: 'task',
        trigger_type: 'manual',
        timezone: 'UTC',
        approval_mode: 'auto',
        active: true,
        next_run_at: null,
        runs_count: 1,
      })
      const run = await shop.get(`/task_runs/${task.last_run}?expand=task`)
      expect(run).toMatchObject({ status: 'pending', task_id: task.id, task_name: 'Report', started_at: null })
      expect(run.task.id).toBe(task.id)
      expect((await shop.get(`/tasks/${task.id}?expand=last_run`)).last_run.id).toBe(run.id)
    })

    it('that is not active starts nothing, and a run once it becomes active', async () => {
      const { id, runs_count } = await create({ active: false })
      expect(runs_count).toBe(0)
      expect((await shop.patch(`/tasks/${id}`, { active: true })).runs_count).toBe(1)
      expect((await shop.patch(`/tasks/${id}`, { active: true })).runs_count).toBe(1)
    })

    it('is done by hand again when it is made active after its run', async () => {
      const { id, last_run } = await create()
      const { data } = await shop.get(`/task_runs?ai_task_id=${id}`)
      expect(data.map((run: Body) => run.id)).toEqual([last_run])
      await shop.patch(`/task_runs/${last_run}`, { status: 'canceled' })
      expect(await shop.get(`/tasks/${id}`)).toMatchObject({ active: false })
      const again = await shop.patch(`/tasks/${id}`, { active: true })
      expect(again.runs_count).toBe(2)
      expect(again.last_run).not.toBe(last_run)
    })

    it('emits events of its own name, with what changed', async () => {
      let task: Body
      const events = await shop.eventsOf(async () => {
        task = await create(nightly)
        await shop.patch(`/tasks/${task.id}`, { name: 'Night report' })
        await shop.delete(`/tasks/${task.id}`)
      })
      expect(events.map(({ type }) => type)).toEqual(['ai_task.created', 'ai_task.updated', 'ai_task.deleted'])
      expect(events[1]!.previous).toEqual({ name: 'Report' })
    })

    it.each([
      [{ trigger_type: 'schedule' }, 'trigger_type', /schedule needs exactly one of .*, not 0/],
      [{ ...nightly, interval_seconds: 60 }, 'trigger_type', /not 2/],
      [{ ...nightly, cron_expression: '0 25 * * *' }, 'cron_expression', 'has the hour 25, which must be 0 to 23'],
      [{ ...nightly, cron_expression: '0 0 30 2 *' }, 'cron_expression', /never occurs/],
      [{ trigger_type: 'schedule', interval_seconds: 59 }, 'interval_seconds', 'must be at least 60'],
      [{ trigger_type: 'schedule', scheduled_at: PAST }, 'scheduled_at', /must be in the future/],
      [{ expires_at: PAST }, 'expires_at', /must be in the future/],
      [{ ...nightly, timezone: 'Mars/Olympus' }, 'timezone', /IANA/],
      [{ trigger_type: 'event' }, 'trigger_type', /event needs event_types/],
      [{ ...greeting, event_types: ['order.payed'] }, 'event_types.0', /order.paid/],
      [{ cron_expression: '0 2 * * *' }, 'cron_expression', 'requires trigger_type schedule, not manual'],
      [{ ...greeting, scheduled_at: FUTURE }, 'scheduled_at', 'requires trigger_type schedule, not event'],
      [{ ...nightly, event_types: ['order.paid'] }, 'event_types', 'requires trigger_type event, not schedule'],
      [{ prompt: ' \n ' }, 'prompt', "can't be blank"],
      [{ delivery_methods: ['pigeon'] }, 'delivery_methods.0', /email/],
    ])('refuses %o', async (values, field, message) => {
      const errors = await shop.refusal('POST', '/tasks', { ...words, ...values })
      expect(errors).toEqual({ [field]: [typeof message === 'string' ? message : expect.stringMatching(message)] })
    })

    it('changes from one trigger to another with what the other needs', async () => {
      const { id } = await create(nightly)
      expect(await shop.refusal('PATCH', `/tasks/${id}`, { trigger_type: 'event' })).toHaveProperty('trigger_type')
      const event = await shop.patch(`/tasks/${id}`, { trigger_type: 'event', event_types: ['order.paid'] })
      expect(event).toMatchObject({ cron_expression: null, event_types: ['order.paid'], next_run_at: null })
      expect(await shop.refusal('PATCH', `/tasks/${id}`, { interval_seconds: 60 })).toHaveProperty('interval_seconds')
      const often = await shop.patch(`/tasks/${id}`, { trigger_type: 'schedule', interval_seconds: 60 })
      expect(often).toMatchObject({ interval_seconds: 60, event_types: [], next_run_at: expect.any(String) })
      const once = await shop.patch(`/tasks/${id}`, { scheduled_at: FUTURE })
      expect(once).toMatchObject({ interval_seconds: null, scheduled_at: FUTURE, next_run_at: FUTURE })
      expect(once.runs_count).toBe(0)
      const manual = await shop.patch(`/tasks/${id}`, { trigger_type: 'manual' })
      expect(manual).toMatchObject({ scheduled_at: null, next_run_at: null, runs_count: 1 })
    })

    it('plans nothing while it is paused, or beyond its end', async () => {
      const { id, next_run_at } = await create(nightly)
      expect(next_run_at).toMatch(/T02:00:00Z$/)
      expect((await shop.patch(`/tasks/${id}`, { active: false })).next_run_at).toBeNull()
      expect((await shop.patch(`/tasks/${id}`, { active: true })).next_run_at).toBe(next_run_at)
      expect((await shop.patch(`/tasks/${id}`, { expires_at: next_run_at })).next_run_at).toBeNull()
    })

    it('refuses to become active with a moment that has passed', async () => {
      const once = await create({ trigger_type: 'schedule', scheduled_at: FUTURE, active: false })
      await shop.set('tasks', once.id, { scheduled_at: PAST })
      expect(await shop.refusal('PATCH', `/tasks/${once.id}`, { active: true })).toHaveProperty('scheduled_at')
    })

    it('is listed by trigger and activity', async () => {
      const paused = await create({ ...greeting, active: false })
      const ids = await shop.listed('/tasks?trigger_type=event&active=false&limit=100')
      expect(ids).toContain(paused.id)
      expect(await shop.listed('/tasks?trigger_type=schedule&limit=100')).not.toContain(paused.id)
    })

    it('cancels its unfinished runs when it is deleted; their records stay', async () => {
      const { id, last_run } = await create()
      const events = await shop.eventsOf(() => shop.delete(`/tasks/${id}`))
      expect(events.map(({ type }) => type)).toEqual(['ai_task_run.canceled', 'ai_task.deleted'])
      expect(await shop.get(`/task_runs/${last_run}?expand=task`)).toMatchObject({
        status: 'canceled',
        task_id: id,
        task: null,
      })
    })

    it('is not seen by another account, nor are its runs', async () => {
      const other = shop.as(await shop.running.another('neighbour'))
      const { id, last_run } = await create()
      for (const path of [`/tasks/${id}`, `/task_runs/${last_run}`])
        for (const [method, body] of [['GET'], ['PATCH', {}]] as const)
          expect(await other.refusal(method, path, body)).toEqual([404, 'resource_missing'])
      expect(await other.listed('/tasks')).toEqual([])
      expect(await other.listed(`/task_runs?ai_task_id=${id}`)).toEqual([])
      await shop.delete(`/tasks/${id}`)
    })
  })
})
