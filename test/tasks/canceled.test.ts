import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type App, createApp } from '../../src/app.ts'
import { deleteAccount } from '../../src/resources/company/account/life/delete.ts'
import { readSettings } from '../../src/settings/config.ts'
import { dashboardOf, ownerOf } from '../dashboard/operations/visitor.ts'
import { freshDirectory, freshPostgresUrl, testServerUrl } from '../database/engines.ts'
import { SECRET_KEY } from '../support/app.ts'
import { type Body, onGateEngine, type Shop } from '../support/shop.ts'
import { ended, runOf } from './support.ts'

/** Keeps the interpreter busy for so many milliseconds. */
const busy = (ms: number) => `over = Time.now.to_f + ${ms / 1000}\nnil while Time.now.to_f < over`
const ROUNDS = 10

describe('A run that is canceled', () => {
  onGateEngine((shop) => {
    const tagNames = (): Promise<unknown[]> => shop.listed('/tags?limit=100', 'name')
    const started = async (prompt: string, values: object = {}): Promise<Body> =>
      shop.post('/tasks', { name: 'Long', prompt: `# ruby\n${prompt}`, ...values })
    const running = async (run: string) => {
      while ((await shop.get(`/task_runs/${run}`)).status === 'pending') await delay(5)
    }

    it('leaves nothing, and its program ends at once', async () => {
      const { last_run } = await started(`${busy(4_000)}\npost("/tags", name: "canceled")`)
      await running(last_run)
      expect(await shop.patch(`/task_runs/${last_run}`, { status: 'canceled' })).toMatchObject({ status: 'canceled' })
      const began = performance.now()
      await shop.settled()
      expect(performance.now() - began).toBeLessThan(3_000)
      expect(await shop.get(`/task_runs/${last_run}`)).toMatchObject({ status: 'canceled' })
      expect(await tagNames()).not.toContain('canceled')
    })

    it('leaves nothing of what it had written, or is told that it is committed, whichever comes first', async () => {
      const outcomes = new Set<string>()
      for (let round = 0; round < ROUNDS; round++) {
        const name = `raced ${round}`
        const program = `post("/tags", name: "${name}")["id"]\n${busy(15 * round)}\nputs "done"`
        const { last_run } = await started(program)
        await running(last_run)
        await delay(5 * (round % 4))
        const { status, body } = await shop.api('PATCH', `/task_runs/${last_run}`, { status: 'canceled' })
        await shop.settled()
        const run = await shop.get(`/task_runs/${last_run}`)
        outcomes.add(run.status)
        expect([status, run.status]).toEqual(status === 200 ? [200, 'canceled'] : [400, 'completed'])
        if (status !== 200) expect(body.error.code).toBe('invalid_state')
        expect((await tagNames()).includes(name)).toBe(run.status === 'completed')
      }
      expect(outcomes).toContain('canceled')
    })

    it('with its task leaves nothing, or comes to its end', async () => {
      for (let round = 0; round < ROUNDS / 2; round++) {
        const name = `deleted ${round}`
        const { id, last_run } = await started(`post("/tags", name: "${name}")["id"]\n${busy(25 * round)}`)
        await running(last_run)
        await shop.delete(`/tasks/${id}`)
        await shop.settled()
        const run = await shop.get(`/task_runs/${last_run}`)
        expect(['canceled', 'completed']).toContain(run.status)
        expect((await tagNames()).includes(name)).toBe(run.status === 'completed')
      }
    })

    it('that commits each call by itself cannot be canceled after the first', async () => {
      const program = `# atomic: false\npost("/tags", name: "alone")\n${busy(700)}`
      const { last_run } = await started(program)
      while (!(await tagNames()).includes('alone')) await delay(10)
      expect(await shop.refusal('PATCH', `/task_runs/${last_run}`, { status: 'canceled' })).toEqual([
        400,
        'invalid_state',
      ])
      expect(await ended(shop, last_run)).toMatchObject({ status: 'completed' })
    })

    it('while it plans leaves no plan', async () => {
      for (let round = 0; round < ROUNDS; round++) {
        const supervised = { approval_mode: 'supervised' }
        const { last_run } = await started(`post("/tags", name: "planned")["id"]\n${busy(8 * round)}`, supervised)
        await running(last_run)
        await delay(4 * (round % 4))
        await shop.patch(`/task_runs/${last_run}`, { status: 'canceled' })
        await shop.settled()
        const plans = shop.db.selectFrom('program_plans').select('state').where('task_run', '=', last_run)
        expect((await plans.execute()).filter(({ state }) => state === 'open')).toEqual([])
      }
    })

    it('cannot be once somebody has applied its plan', async () => {
      const asked = await runOf(shop, 'post("/tags", name: "decided")["id"]', { approval_mode: 'supervised' })
      const [plan] = /plan_\w+/.exec(asked.question)!
      const dashboard = dashboardOf(shop, ownerOf(shop))
      const [applied, canceled] = await Promise.all([
        dashboard('POST', `/plans/${plan}/apply`, { body: {} }),
        shop.api('PATCH', `/task_runs/${asked.id}`, { status: 'canceled' }),
      ])
      await shop.settled()
      const run = await shop.get(`/task_runs/${asked.id}`)
      expect([applied.body.failed, run.status]).toEqual(
        canceled.status === 200 ? [true, 'canceled'] : [false, 'completed'],
      )
      expect((await tagNames()).includes('decided')).toBe(run.status === 'completed')
    })

    it('or fails leaves no plan that could still be applied', async () => {
      const asked = await runOf(shop, 'post("/tags", name: "given up")["id"]', { approval_mode: 'supervised' })
      const [plan] = /plan_\w+/.exec(asked.question)!
      await shop.patch(`/task_runs/${asked.id}`, { status: 'failed', error_message: 'Not needed.' })
      const { body } = await dashboardOf(shop, ownerOf(shop))('POST', `/plans/${plan}/apply`, { body: {} })
      expect(body).toMatchObject({ failed: true, answer: { error: { type: 'plan_unavailable' } } })
    })

    it('goes with its account, and leaves nothing there', async () => {
      const another = await shop.running.another('short-lived')
      const own: Shop = shop.as(another)
      const prompt = `# ruby\npost("/tags", name: "too late")["id"]\n${busy(600)}`
      const { last_run } = await own.post('/tasks', { name: 'Late', prompt })
      while ((await own.get(`/task_runs/${last_run}`)).status === 'pending') await delay(5)
      await deleteAccount(shop.running.app.database, another.accountId)
      await shop.settled()
      const tags = shop.db.selectFrom('tags').select('id').where('account_id', '=', another.accountId)
      expect(await tags.execute()).toEqual([])
    })

    it('counts the calls that its program made, and no others', async () => {
      expect(await runOf(shop, 'puts 1')).toMatchObject({ tool_calls_count: 0 })
      expect(await runOf(shop, 'get("/account")\nget("/me")["id"]')).toMatchObject({ tool_calls_count: 2 })
      const asked = await runOf(shop, 'post("/tags", name: "counted")["id"]', { approval_mode: 'supervised' })
      expect(asked).toMatchObject({ tool_calls_count: 1 })
      await shop.patch(`/task_runs/${asked.id}`, { status: 'running' })
      expect(await ended(shop, asked.id)).toMatchObject({ status: 'completed', tool_calls_count: 2 })
    })

    it('counts the calls of a background program, which makes none for its run', async () => {
      const program = '# background: true\neach_batch(list("/tags")) { get("/account")["name"] }'
      expect(await runOf(shop, program)).toMatchObject({ status: 'completed', tool_calls_count: 2 })
    })
  })
})

describe.skipIf(!testServerUrl)('A run that one server does and another cancels', () => {
  const apps: App[] = []
  let remove: (() => Promise<void>)[]
  beforeAll(async () => {
    const { directory, remove: removeDirectory } = await freshDirectory()
    const postgres = await freshPostgresUrl()
    remove = [postgres.remove, removeDirectory]
    const environment = {
      ...{ DATABASE_URL: postgres.url, SECRET_KEY, DEMO_DATA: 'none', SANDBOX_WORKERS: '1' },
      ...{ RATE_LIMIT_PER_MINUTE: '10000000', RATE_LIMIT_BURST: '10000000' },
      CACHE_DIR: join(import.meta.dirname, '../../.cache/test'),
    }
    const log = { info() {}, warn() {}, error() {} }
    for (const name of ['one', 'two'])
      apps.push(
        await createApp(readSettings({ ...environment, DATA_DIR: join(directory, name) }), 'http://localhost:1', log),
      )
  })
  afterAll(async () => {
    for (const app of apps) await app.close()
    for (const one of remove) await one()
  })

  it('leaves nothing or has committed', async () => {
    const caller = { kind: 'session', sessionId: 'tests', role: 'owner', ...apps[0]!.firstAccount! } as const
    const ask = async (app: App, method: string, path: string, body?: unknown) => {
      const answer = await app.pipeline.run({ method, path, query: {}, body, caller })
      return { status: answer.status, body: answer.body as Body }
    }
    for (let round = 0; round < ROUNDS; round++) {
      const [first, second] = round % 2 === 0 ? [apps[0]!, apps[1]!] : [apps[1]!, apps[0]!]
      const name = `between ${round}`
      const prompt = `# ruby\npost("/tags", name: "${name}")["id"]\n${busy(10 * round)}`
      const { last_run } = (await ask(first, 'POST', '/tasks', { name, prompt })).body
      const run = async () => (await ask(first, 'GET', `/task_runs/${last_run}`)).body.status
      while ((await run()) === 'pending') await delay(2)
      const { status } = await ask(second, 'PATCH', `/task_runs/${last_run}`, { status: 'canceled' })
      while ((await run()) === 'running') await delay(10)
      const working = () =>
        first.database.read.selectFrom('jobs').select('id').where('state', 'in', ['due', 'working']).executeTakeFirst()
      while (await working()) await delay(10)
      const names = (await first.database.read.selectFrom('tags').select('name').execute()).map((tag) => tag.name)
      expect([await run(), names.includes(name)]).toEqual(status === 200 ? ['canceled', false] : ['completed', true])
    }
  })
})
