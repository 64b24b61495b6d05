import { setTimeout as delay } from 'node:timers/promises'
import { beforeEach, describe, expect, it } from 'vitest'
import { type Body, onEachEngine } from '../support/shop.ts'

const STATUSES = ['pending', 'running', 'needs_input', 'completed', 'failed', 'canceled'] as const
type Status = (typeof STATUSES)[number]

/** By hand, from the contract (6.6): what each status may become. */
const NEXT: Record<Status, Status[]> = {
  pending: ['running', 'canceled'],
  running: ['completed', 'failed', 'needs_input', 'canceled'],
  needs_input: ['running', 'failed', 'canceled'],
  completed: [],
  failed: [],
  canceled: [],
}
/** How a run comes to a status. */
const WAY: Record<Status, Status[]> = {
  pending: [],
  running: ['running'],
  needs_input: ['running', 'needs_input'],
  completed: ['running', 'completed'],
  failed: ['running', 'failed'],
  canceled: ['canceled'],
}

describe('A run that an outside agent does', () => {
  onEachEngine((shop) => {
    let task: Body
    let run: string
    beforeEach(async () => {
      task = await shop.post('/tasks', { name: 'Letter', prompt: 'Write a letter.' })
      run = task.last_run
    })
    const set = (status: Status, values: object = {}) => shop.patch(`/task_runs/${run}`, { status, ...values })
    const walk = async (way: Status[]) => {
      for (const status of way) await set(status)
    }

    it.each(STATUSES.flatMap((from) => STATUSES.map((to) => [from, to] as const)))(
      'that is %s can become %s exactly where the contract says so',
      async (from, to) => {
        await walk(WAY[from])
        expect((await shop.get(`/task_runs/${run}`)).allowed_actions).toEqual(NEXT[from])
        const { status, body } = await shop.api('PATCH', `/task_runs/${run}`, { status: to, input: 'Yes.' })
        if (NEXT[from].includes(to)) {
          expect([status, body.status]).toEqual([200, to])
          return
        }
        expect([status, body.error.code]).toEqual([400, 'invalid_state'])
        expect(body.error.message).toContain(`is ${from}`)
        for (const next of NEXT[from]) expect(body.error.message).toContain(next)
      },
    )

    it('shows when it began and ended, and how long it took', async () => {
      await set('running')
      expect(await shop.get(`/task_runs/${run}`)).toMatchObject({ started_at: expect.any(String), completed_at: null })
      const done = await set('completed', { summary: 'Sent.' })
      expect(done).toMatchObject({ summary: 'Sent.', error_message: null, completed_at: expect.any(String) })
      expect(done.duration_ms).toBe(Date.parse(done.completed_at) - Date.parse(done.started_at))
      expect(done).toMatchObject({ input_tokens: 0, output_tokens: 0, credits_consumed: 0, tool_calls_count: 0 })
    })

    it('that is canceled before it began took no time', async () => {
      expect(await set('canceled')).toMatchObject({
        started_at: null,
        completed_at: expect.any(String),
        duration_ms: 0,
      })
    })

    it('emits an event for each status that it comes to', async () => {
      const events = await shop.eventsOf(async () => {
        await set('running')
        await set('needs_input', { question: 'Which address?' })
        await set('running', { input: 'The second.' })
        await set('failed', { error_message: 'No stamps.' })
      })
      const own = events.filter(({ type }) => !type.startsWith('email.'))
      expect(own.map(({ type, data }) => [type, data.status])).toEqual([
        ['ai_task_run.started', 'running'],
        ['ai_task_run.needs_input', 'needs_input'],
        ['ai_task_run.failed', 'failed'],
        ['ai_task.updated', undefined],
      ])
    })

    it('asks, and goes on with the answer alone', async () => {
      await set('running')
      expect(await set('needs_input', { question: 'Which address?' })).toMatchObject({ question: 'Which address?' })
      expect(await shop.refusal('PATCH', `/task_runs/${run}`, { status: 'running' })).toHaveProperty('input')
      expect(await set('running', { input: 'The second.' })).toMatchObject({ question: null, input: 'The second.' })
    })

    it('is claimed by one of two', async () => {
      const claim = () => shop.api('PATCH', `/task_runs/${run}`, { status: 'running' })
      const answers = await Promise.all([claim(), claim(), claim()])
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400])
      for (const { status, body } of answers) if (status === 400) expect(body.error.code).toBe('invalid_state')
    })

    it('takes notes while it runs, and none when it is over', async () => {
      await set('running')
      expect(await shop.patch(`/task_runs/${run}`, { summary: 'Half of it.' })).toMatchObject({ status: 'running' })
      await set('completed')
      for (const body of [{}, { summary: 'More.' }, { status: 'completed' }])
        expect(await shop.refusal('PATCH', `/task_runs/${run}`, body)).toEqual([400, 'invalid_state'])
    })

    it('waits for an agent as long as it takes', async () => {
      await shop.settled()
      await delay(50)
      const pending = await shop.get(`/task_runs/${run}`)
      expect(pending).toMatchObject({ status: 'pending', error_message: expect.stringContaining('No model is set up') })
      expect(await shop.listed('/task_runs?status=pending&limit=100')).toContain(run)
    })
  })
})
