import { describe, expect, it } from 'vitest'
import { overview } from '../../src/resources/dashboard/overview/overview.ts'
import { ownerOf } from '../support/dashboard.ts'
import { type Body, onEachEngine } from '../support/shop.ts'
import { ended, runOf } from './support.ts'

describe('A failed run', () => {
  onEachEngine((shop) => {
    const again = async (task: string) => {
      const { last_run } = await shop.patch(`/tasks/${task}`, { active: true })
      return ended(shop, last_run)
    }
    /** Of the letters that were written meanwhile. */
    const letters = async (work: () => Promise<void>): Promise<Body[]> => {
      const events = await shop.eventsOf(async () => {
        await work()
        await shop.settled()
      })
      return events.filter(({ type }) => type === 'email.created').map(({ data }) => data)
    }

    it('is told to the owner of its task, once a day at most for each task', async () => {
      let failing: Body
      const first = await letters(async () => {
        failing = await runOf(shop, 'puts "One."\nnil.upcase', { name: 'Fragile' })
      })
      expect(first).toMatchObject([{ to: (await shop.get('/me')).email, subject: 'Fragile failed' }])
      expect(await letters(async () => void (await again(failing!.task_id)))).toEqual([])
      expect(await letters(async () => void (await runOf(shop, 'nil.upcase', { name: 'Another' })))).toHaveLength(1)

      await shop.set('tasks', failing!.task_id, { failure_told_at: '2026-01-01T00:00:00Z' })
      expect(await letters(async () => void (await again(failing!.task_id)))).toHaveLength(1)
    })

    it('of a task that sends its results is told by the result alone', async () => {
      const sent = await letters(async () => {
        await runOf(shop, 'nil.upcase', { name: 'Telling', delivery_methods: ['email'] })
      })
      expect(sent.map(({ subject }) => subject)).toEqual(['Telling failed'])
    })

    it('is told to nobody where the account wants no such letters, but as a result where the task sends results', async () => {
      await shop.patch('/account', { failed_run_emails: false })
      const quiet = await letters(async () => {
        await runOf(shop, 'nil.upcase', { name: 'Quiet' })
        await runOf(shop, 'nil.upcase', { name: 'Telling', delivery_methods: ['email'] })
      })
      expect(quiet.map(({ subject }) => subject)).toEqual(['Telling failed'])
      await shop.patch('/account', { failed_run_emails: true })
      const loud = await letters(async () => void (await runOf(shop, 'nil.upcase', { name: 'Loud' })))
      expect(loud.map(({ subject }) => subject)).toEqual(['Loud failed'])
    })

    it('is told to the owners of the account where the owner of the task has left', async () => {
      const task = await shop.post('/tasks', { name: 'Orphaned', prompt: 'Say hello.' })
      await shop.set('tasks', task.id, { owner_user: 'user_01jabcdefghjkmnpqrstvwxyz0', delivery_methods: '["email"]' })
      const sent = await letters(async () => {
        await shop.patch(`/task_runs/${task.last_run}`, { status: 'running' })
        await shop.patch(`/task_runs/${task.last_run}`, { status: 'failed', error_message: 'No words.' })
      })
      expect(sent).toMatchObject([{ to: (await shop.get('/me')).email, subject: 'Orphaned failed' }])
    })

    it('is counted on Home for seven days', async () => {
      const own = shop.as(await shop.running.another('failures-on-home'))
      const { id } = await runOf(own, 'nil.upcase')
      const attention = async () => (await (await ownerOf(own)).read(overview, '30d', [])).attention
      expect(await attention()).toEqual([{ kind: 'failed_task_runs', count: 1 }])
      await own.set('task_runs', id, { completed_at: '2026-01-01T00:00:00Z' })
      expect(await attention()).toEqual([])
    })
  })
})
