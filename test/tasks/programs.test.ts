import { describe, expect, it } from 'vitest'
import { newId } from '../../src/contract/values/ids.ts'
import { deleteToken } from '../../src/resources/dashboard/api-token/issue.ts'
import { startSite } from '../support/local-site.ts'
import { onGateEngine } from '../support/shop.ts'
import { ended, execute, runOf, withToken } from './support.ts'

describe('A task whose prompt is a program', () => {
  onGateEngine((shop) => {
    const tagNames = () => shop.listed('/tags?limit=100', 'name')

    it('runs as code_execute does, and what it prints is its summary', async () => {
      const run = await runOf(shop, 'tag = post("/tags", name: "Made by a task")\nputs "Made #{tag["name"]}."')
      expect(run).toMatchObject({
        status: 'completed',
        summary: 'Made Made by a task.\n',
        error_message: null,
        tool_calls_count: 1,
        duration_ms: expect.any(Number),
        credits_consumed: 0,
      })
      expect(await tagNames()).toContain('Made by a task')
    })

    it('sees its own run', async () => {
      const run = await runOf(shop, 'puts run["id"], run["status"], run["event"].inspect')
      expect(run.summary).toBe(`${run.id}\nrunning\nnil\n`)
    })

    it('fails with the message, the line of the prompt and a hint, and keeps nothing', async () => {
      const run = await runOf(shop, 'post("/tags", name: "Lost")\nnil.upcase')
      expect(run).toMatchObject({ status: 'failed', summary: null })
      expect(run.error_message).toMatch(/undefined method .upcase. for nil.* \(line 3 of the prompt\)/)
      expect(await tagNames()).not.toContain('Lost')
    })

    it('that is supervised plans, and does what it planned once that is approved', async () => {
      const supervised = { approval_mode: 'supervised' }
      const asked = await runOf(shop, 'post("/tags", name: "Approved")\nputs "One tag."', supervised)
      expect(asked).toMatchObject({ status: 'needs_input', completed_at: null, summary: 'One tag.\n' })
      expect(asked.question).toMatch(/^Apply the plan plan_\w+\? It makes these changes: 1 tag.created \(Approved\)\./)
      expect(await tagNames()).not.toContain('Approved')
      const events = await shop.eventsOf(async () => {
        const approved = await shop.patch(`/task_runs/${asked.id}`, { status: 'running' })
        expect(approved).toMatchObject({ status: 'running', question: null })
        expect(await ended(shop, asked.id)).toMatchObject({ status: 'completed', summary: 'One tag.\n' })
      })
      expect(events.map(({ type }) => type)).toEqual(['tag.created', 'ai_task_run.completed', 'ai_task.updated'])
      expect(await tagNames()).toContain('Approved')
    })

    it('that is supervised and changes nothing asks nothing', async () => {
      const run = await runOf(shop, 'puts list("/tags").count', { approval_mode: 'supervised' })
      expect(run).toMatchObject({ status: 'completed', question: null })
    })

    it('that is rejected does nothing, and its plan can be applied no more', async () => {
      const asked = await runOf(shop, 'post("/tags", name: "Rejected")', { approval_mode: 'supervised' })
      expect(await shop.patch(`/task_runs/${asked.id}`, { status: 'canceled' })).toMatchObject({ status: 'canceled' })
      const [, plan] = /(plan_\w+)/.exec(asked.question)!
      const stored = shop.db.selectFrom('program_plans').select('state').where('id', '=', plan!)
      expect(await stored.executeTakeFirst()).toEqual({ state: 'rejected' })
      expect(await tagNames()).not.toContain('Rejected')
    })

    it('asks again when the shop has changed since it planned', async () => {
      const program = 'count = list("/products").count\npost("/tags", name: "Products: #{count}")'
      const asked = await runOf(shop, program, { approval_mode: 'supervised' })
      await shop.product()
      await shop.patch(`/task_runs/${asked.id}`, { status: 'running' })
      const again = await ended(shop, asked.id)
      expect(again.status).toBe('needs_input')
      expect(again.question).toMatch(
        /^The plan could no longer be applied, so a new one was made\. Apply the plan plan_/,
      )
      await shop.patch(`/task_runs/${asked.id}`, { status: 'running' })
      expect(await ended(shop, asked.id)).toMatchObject({ status: 'completed' })
      expect(await tagNames()).toContain(`Products: ${(await shop.listed('/products?limit=100')).length}`)
    })

    it('has the rights of whoever wrote the prompt, and none when these are gone', async () => {
      const { id, shop: passing } = await withToken(shop)
      const made = await passing.post('/tasks', { name: 'Passing', prompt: '# ruby\nputs 1' })
      expect(await ended(shop, made.last_run)).toMatchObject({ status: 'completed' })
      await deleteToken(shop.running.app.database, id)
      const orphaned = await shop.patch(`/tasks/${made.id}`, { active: true })
      const failed = await ended(shop, orphaned.last_run)
      expect(failed.status).toBe('failed')
      expect(failed.error_message).toMatch(/^Someone who wrote the prompt, .+ has lost access/)
      const adopted = await shop.patch(`/tasks/${made.id}`, { active: true, prompt: '# ruby\nputs 2' })
      expect(await ended(shop, adopted.last_run)).toMatchObject({ status: 'completed', summary: '2\n' })
    })

    it('sends its result to that person by e-mail', async () => {
      const events = await shop.eventsOf(async () => {
        await runOf(shop, 'puts "12 orders."', { name: 'Morning report', delivery_methods: ['email'] })
        await shop.settled()
      })
      const mail = events.find(({ type }) => type === 'email.created')!.data
      const owner = await shop.get('/me')
      expect(mail).toMatchObject({ to: owner.email, subject: 'Morning report is done' })
      expect(events.map(({ type }) => type)).toContain('email.sent')
    })

    it('counts the credits that its calls have spent', async () => {
      const site = await startSite({ '/': '<a href="/about">x</a>' })
      const run = await runOf(shop, `puts post("/web/map", url: "${site.url}")["total_urls"]`)
      await site.close()
      expect(run).toMatchObject({ status: 'completed', summary: '2\n', credits_consumed: 1 })
    })

    it('is left alone where an outside agent has claimed the run first', async () => {
      const { run } = await claimedElsewhere()
      expect(run).toMatchObject({ status: 'running', tool_calls_count: 0 })
    })

    it('of which a lost runner never said an end is failed, and not done again', async () => {
      const task = await shop.post('/tasks', { name: 'Lost', prompt: '# ruby\nputs 1', active: false })
      const runner_job = newId('job')
      const run = await shop.insert('task_runs', 'atrun', {
        ...{ task_id: task.id, task: task.id, task_name: 'Lost', status: 'running', started_at: PAST, chain: '[]' },
        ...{ input_tokens: 0, output_tokens: 0, credits_consumed: 0, tool_calls_count: 0, runner_job },
      })
      const job = { id: runner_job, name: 'run_task', lane: 'outside', payload: JSON.stringify({ run }) } as const
      const lease = { state: 'working', attempts: 1, run_at: PAST, leased_until: PAST, created_at: PAST } as const
      const rest = { account_id: shop.accountId, last_error: null, finished_at: null, origin: null }
      await shop.running.app.database.transaction(({ db }) =>
        db
          .insertInto('jobs')
          .values({ ...job, ...lease, ...rest })
          .execute(),
      )
      const lost = await ended(shop, run)
      expect(lost).toMatchObject({ status: 'failed', tool_calls_count: 0 })
      expect(lost.error_message).toMatch(/^Its runner stopped/)
    })

    async function claimedElsewhere() {
      const tasks = { name: 'Race', prompt: '# ruby\nputs 1', active: false }
      const { id } = await shop.post('/tasks', tasks)
      // Nobody can be quicker than the service, but a program that claims the run in the same transaction.
      const program = [
        `task = patch("/tasks/${id}", active: true)`,
        'patch("/task_runs/#{task["last_run"]}", status: "running")["id"]',
      ]
      const { result } = await execute(shop, program.join('\n'))
      await shop.settled()
      return { run: await shop.get(`/task_runs/${result}`) }
    }
  })
})

const PAST = '2020-01-01T00:00:00Z'
