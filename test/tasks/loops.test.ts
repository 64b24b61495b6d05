import { describe, expect, it } from 'vitest'
import { type Body, onEachEngine } from '../support/shop.ts'
import { ended } from './support.ts'

const RESTART = 'patch("/tasks/#{task}", active: false)\nputs patch("/tasks/#{task}", active: true)["error"]["code"]'
const COPY = 'prompt: get("/tasks/#{run["task"]}")["prompt"]'

describe('Tasks that start each other come to an end', () => {
  onEachEngine((shop) => {
    const manual = (name: string, program: string): Promise<Body> =>
      shop.post('/tasks', { name, prompt: `# ruby\n${program}` })
    const runs = async (name: string): Promise<Body[]> => {
      await shop.settled()
      const { data } = await shop.get('/task_runs?limit=100')
      return data.filter((run: Body) => run.task_name === name).reverse()
    }

    it('when a run starts its own task', async () => {
      const { id, last_run } = await manual('Itself', `task = run["task"]\n${RESTART}`)
      expect(await ended(shop, last_run)).toMatchObject({ status: 'completed', summary: 'invalid_state\n' })
      expect(await runs('Itself')).toHaveLength(1)
      expect((await shop.get(`/tasks/${id}`)).runs_count).toBe(1)
    })

    it('when a run starts the task that started it', async () => {
      const first = await shop.post('/tasks', { name: 'First', prompt: 'Wait.' })
      const second = await shop.post('/tasks', { name: 'Second', prompt: 'Wait.' })
      const other = (task: Body) => `# ruby\ntask = "${task.id}"\n${RESTART}`
      await shop.patch(`/tasks/${first.id}`, { active: false, prompt: restarting(second) })
      await shop.patch(`/tasks/${second.id}`, { active: false, prompt: other(first) })
      await shop.patch(`/tasks/${first.id}`, { active: true })
      const [, started] = await runs('Second')
      expect(await ended(shop, started!.id)).toMatchObject({ status: 'completed', summary: 'invalid_state\n' })
      expect([(await runs('First')).length, (await runs('Second')).length]).toEqual([2, 2])
    })

    it('when each run makes a new task', async () => {
      await manual(
        'Copy',
        `made = post("/tasks", name: "Copy", ${COPY})\nputs made["error"] && made["error"]["message"]`,
      )
      const all = await runs('Copy')
      expect(all).toHaveLength(20)
      expect(all.at(-1)).toMatchObject({ status: 'completed', summary: expect.stringContaining('Runs of 20 tasks') })
    })

    it('when each run makes a new task for the event that it causes', async () => {
      const program = `post("/tasks", name: "Echo", trigger_type: "event", event_types: ["tag.created"], ${COPY})["id"]
post("/tags", name: run["id"])["id"]`
      const trigger = { trigger_type: 'event', event_types: ['tag.created'] }
      await shop.post('/tasks', { name: 'Echo', prompt: `# ruby\n${program}`, ...trigger })
      await shop.tag()
      const all = await runs('Echo')
      expect(all.map(({ status }) => status)).toEqual([...Array(20).fill('completed'), 'failed'])
      expect(all.at(-1)!.error_message).toMatch(/^Runs of 20 tasks, each started by the one before, led to this one/)
      expect(await shop.get(`/tasks/${all.at(-1)!.task}`)).toMatchObject({ active: false })
    })
  })
})

function restarting({ id }: Body): string {
  return `# ruby\npatch("/tasks/${id}", active: true)["id"]`
}
