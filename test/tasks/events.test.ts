import { beforeAll, describe, expect, it } from 'vitest'
import { type Body, onEachEngine, type Shop } from '../support/shop.ts'
import { ended, execute, manyRuns, runsOf } from './support.ts'

const PRINT = '# ruby\nputs run["event"]["type"], run["event"]["data"]["id"]'

describe('A task that events start', () => {
  onEachEngine((shop) => {
    let made = 0
    const on = (types: string[], prompt = PRINT, of: Shop = shop): Promise<Body> =>
      of.post('/tasks', { name: `On ${types}`, prompt, trigger_type: 'event', event_types: types })
    const count = async ({ id }: Body) => {
      await shop.settled()
      return (await shop.get(`/tasks/${id}`)).runs_count
    }
    /** Ends what this test has begun, so that other tests do not start it. */
    const pause = (...tasks: Body[]) =>
      Promise.all(tasks.map(({ id }) => shop.patch(`/tasks/${id}`, { active: false })))

    it('runs once for each event, which its program sees', async () => {
      const task = await on(['tag.created'])
      const tags = [await shop.tag(), await shop.tag()]
      await shop.patch(`/tags/${tags[0].id}`, { name: `Changed ${++made}` })
      const runs = await runsOf(shop, task.id, 2)
      expect(runs.map(({ summary }) => summary).sort()).toEqual(tags.map(({ id }) => `tag.created\n${id}\n`).sort())
      expect(runs[0].event).toMatchObject({ id: expect.stringMatching(/^evt_/), data: { object: 'tag' } })
      expect(await count(task)).toBe(2)
      await pause(task)
    })

    it('is one of many that an event starts by one job, a few at a time', async () => {
      const tasks = await Promise.all(Array.from({ length: 45 }, () => on(['tag.created'], 'Look at it.')))
      const jobs = async () => {
        const found = shop.db.selectFrom('jobs').select('id').where('account_id', '=', shop.accountId)
        return (await found.where('name', '=', 'start_event_run').execute()).length
      }
      const before = await jobs()
      await shop.tag()
      expect(await Promise.all(tasks.map(count))).toEqual(tasks.map(() => 1))
      expect((await jobs()) - before).toBe(3)
      await pause(...tasks)
    })

    it('sees what an event has changed', async () => {
      const { id } = await shop.tag({ name: 'Former' })
      const task = await on(['tag.updated'], '# ruby\nputs run["event"]["previous_attributes"]["name"]')
      await shop.patch(`/tags/${id}`, { name: `Later ${++made}` })
      expect((await runsOf(shop, task.id, 1))[0].summary).toBe('Former\n')
      await pause(task)
    })

    it('is not started by a program that is rolled back, or by a dry run', async () => {
      const task = await on(['tag.created'])
      expect(await execute(shop, 'post("/tags", name: "Rolled back")\nraise "no"')).toHaveProperty('error')
      expect(await execute(shop, '# dry_run: true\npost("/tags", name: "Dry")')).toHaveProperty('plan')
      expect(await execute(shop, 'post("/tags", name: "Kept")["name"]')).toMatchObject({ result: 'Kept' })
      const [run] = await runsOf(shop, task.id, 1)
      expect(run.event.data.name).toBe('Kept')
      expect(await count(task)).toBe(1)
      await pause(task)
    })

    it('is not started while it is paused or after its end', async () => {
      const paused = await on(['tag.created'])
      await pause(paused)
      const over = await on(['tag.created'])
      await shop.set('tasks', over.id, { expires_at: '2020-01-01T00:00:00Z' })
      await shop.tag()
      expect([await count(paused), await count(over)]).toEqual([0, 0])
      await shop.delete(`/tasks/${over.id}`)
    })

    it('is not started again by what its own run does', async () => {
      const task = await on(['tag.created'], '# ruby\npost("/tags", name: "Echo of " + run["event"]["data"]["name"])')
      const tag = await shop.tag()
      await runsOf(shop, task.id, 1)
      expect(await count(task)).toBe(1)
      expect(await shop.listed('/tags?limit=100', 'name')).toContain(`Echo of ${tag.name}`)
      await pause(task)
    })

    it('is not started again by way of another task', async () => {
      const customers = '# ruby\npost("/customers", email: "loop-#{run["id"]}@example.com")["id"]'
      const tags = '# ruby\npost("/tags", name: run["id"])["id"]'
      const [first, second] = [await on(['tag.created'], customers), await on(['customer.created'], tags)]
      await shop.tag()
      await runsOf(shop, second.id, 1)
      expect([await count(first), await count(second)]).toEqual([1, 1])
      await pause(first, second)
    })

    it('is not started again by an e-mail that its run has sent', async () => {
      const { email } = await shop.customer()
      const send = `# ruby\npost("/emails", to: "${email}", subject: "Again", text: "And again.")["id"]`
      const task = await on(['email.sent'], send)
      await shop.post('/emails', { to: email, subject: 'Hello', text: 'See you.' })
      await runsOf(shop, task.id, 1)
      expect(await count(task)).toBe(1)
      expect(await count(task)).toBe(1)
      await pause(task)
    })

    it('hears of the runs of other tasks, and not of its own', async () => {
      const task = await on(['ai_task_run.completed'], '# ruby\nputs run["event"]["data"]["task_name"]')
      const other = await shop.post('/tasks', { name: 'Other', prompt: '# ruby\nputs 1' })
      await ended(shop, other.last_run)
      expect((await runsOf(shop, task.id, 1))[0].summary).toBe('Other\n')
      expect(await count(task)).toBe(1)
      await pause(task)
    })

    it('does not hear of its own runs from an outside agent either', async () => {
      const task = await on(['ai_task_run.completed', 'tag.created'], 'Write a letter.')
      await shop.tag()
      await shop.settled()
      const [run] = await shop.listed(`/task_runs?ai_task_id=${task.id}`)
      await shop.patch(`/task_runs/${run}`, { status: 'running' })
      await shop.patch(`/task_runs/${run}`, { status: 'completed' })
      expect(await count(task)).toBe(1)
      await pause(task)
    })

    it('is paused when it runs too often, and a failed run says so', async () => {
      const task = await on(['tag.created'])
      await manyRuns(shop, task, 1_000)
      const events = await shop.eventsOf(async () => {
        await shop.tag()
        await shop.settled()
      })
      const types = events.map(({ type }) => type).filter((type) => !type.startsWith('email.'))
      expect(types).toEqual(['tag.created', 'ai_task.updated', 'ai_task_run.failed'])
      expect(await shop.get(`/tasks/${task.id}?expand=last_run`)).toMatchObject({
        active: false,
        last_run: { status: 'failed', error_message: expect.stringMatching(/^The task ran 1000 times within an hour/) },
      })
    })

    describe('in another account', () => {
      let other: Shop
      beforeAll(async () => {
        other = shop.as(await shop.running.another('events-elsewhere'))
      })

      it('is not started by the events of this one', async () => {
        const [here, there] = [await on(['tag.created']), await on(['tag.created'], PRINT, other)]
        await shop.tag()
        await runsOf(shop, here.id, 1)
        expect(await other.get(`/tasks/${there.id}`)).toMatchObject({ runs_count: 0 })
        await pause(here)
      })
    })
  })
})
