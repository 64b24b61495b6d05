import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { withDatabase } from '../../src/cli/with-database.ts'
import { readSettings } from '../../src/settings/config.ts'
import { freshDirectory } from '../database/engines.ts'
import { command as run } from '../support/command.ts'
import { type Environment, environmentOf, killAll, type Server, startServer } from '../support/server.ts'

const PAST = '2020-01-01T00:00:00Z'

describe('Tasks of a server', () => {
  let remove: () => Promise<void>
  let environment: Environment
  let server: Server
  let token: string

  beforeAll(async () => {
    const fresh = await freshDirectory()
    remove = fresh.remove
    environment = environmentOf(fresh.directory)
    server = await startServer(environment)
    token = server.token!
  })
  beforeEach(async () => {
    expect((await api('GET', '/me')).id).toMatch(/^user_/)
  })
  afterAll(async () => {
    await server.stop()
    killAll()
    await remove()
  })

  const api = async (method: string, path: string, body?: unknown) =>
    (await server.api(method, path, body, { token })).body
  const tags = async () => (await api('GET', '/tags?limit=100')).data.map((tag: { name: string }) => tag.name)
  const command = (...args: string[]) => run(args, environment)
  const until = async (run: string, statuses: string[]) => {
    for (;;) {
      const found = await api('GET', `/task_runs/${run}`)
      if (statuses.includes(found.status)) return found
      await delay(20)
    }
  }
  const over = (run: string) => until(run, ['completed', 'failed', 'canceled'])

  const supervised = async (name: string) => {
    const prompt = `# ruby\npost("/tags", name: "${name}")\nputs "Made ${name}."`
    const { last_run } = await api('POST', '/tasks', { name, prompt, approval_mode: 'supervised' })
    const { question } = await until(last_run, ['needs_input'])
    return { run: last_run, plan: /plan_\w+/.exec(question)![0] }
  }

  it('show their plans to the person who decides, and end as they are decided', async () => {
    const { run, plan } = await supervised('Approved')
    expect(await command('plans', 'list')).toMatchObject({
      stdout: expect.stringMatching(`${plan}  open .* 1 tag.created`),
    })
    expect(await command('plans', 'apply', plan)).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('Made Approved.'),
    })
    expect(await over(run)).toMatchObject({ status: 'completed', summary: 'Made Approved.\n' })
    expect(await tags()).toContain('Approved')
  })

  it('are canceled with their plans', async () => {
    const { run, plan } = await supervised('Rejected')
    expect(await command('plans', 'reject', plan)).toMatchObject({ code: 0 })
    expect(await over(run)).toMatchObject({ status: 'canceled' })
    expect(await tags()).not.toContain('Rejected')
  })

  it('that a command has made run with the rights of its user', async () => {
    const program = 'post("/tasks", name: "By hand", prompt: "# ruby\\nputs 1", active: false)["id"]'
    const { stdout } = await run(['exec'], environment, program)
    const task = JSON.parse(stdout)
    const { last_run } = await api('PATCH', `/tasks/${task}`, { active: true })
    expect(await over(last_run)).toMatchObject({ status: 'completed', summary: '1\n' })
  })

  it('that was killed during a run fail it, and keep and repeat nothing of it', async () => {
    const prompt = '# ruby\nloops = 0\nloops += 1 while loops < 20_000_000\npost("/tags", name: "Killed")'
    const { id, last_run } = await api('POST', '/tasks', { name: 'Long', prompt })
    await until(last_run, ['running'])
    await server.stop('SIGKILL')
    // As if the time had passed after which a lost worker's job may be taken over.
    await withDatabase(readSettings(environment), (database) =>
      database.transaction(({ db }) =>
        db
          .updateTable('jobs')
          .set({ leased_until: PAST })
          .where('name', '=', 'run_task')
          .where('state', '=', 'working')
          .execute(),
      ),
    )
    server = await startServer(environment)
    const lost = await over(last_run)
    expect(lost).toMatchObject({ status: 'failed', tool_calls_count: 0 })
    expect(lost.error_message).toMatch(/^Its runner stopped/)
    expect(await tags()).not.toContain('Killed')
    expect(await api('GET', `/tasks/${id}`)).toMatchObject({ runs_count: 1, active: false })
  })
})
