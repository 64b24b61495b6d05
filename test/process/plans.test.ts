import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freshDirectory } from '../database/engines.ts'
import { command as run } from '../support/command.ts'
import { some } from '../support/depth.ts'
import { type Environment, environmentOf, killAll, type Server, shopwright, startServer } from '../support/server.ts'

describe.each(some(['beside a running server', 'alone'], 1))('plans, %s', (place) => {
  let remove: () => Promise<void>
  let server: Server
  let environment: Environment
  let agent: string

  beforeAll(async () => {
    const fresh = await freshDirectory()
    remove = fresh.remove
    environment = environmentOf(fresh.directory)
    server = await startServer(environment)
    const made = await run(['token', 'create', 'Agent', '--right', 'propose'], environment)
    agent = made.stdout.trim()
  })
  afterAll(async () => {
    await server.stop()
    killAll()
    await remove()
  })

  /** The server runs while the agent works; whether it does while the person decides is what the suite varies. */
  const command = async (...args: string[]) => {
    if (place === 'alone') await server.stop()
    const ended = await run(['plans', ...args], environment)
    if (place === 'alone') server = await startServer(environment)
    return ended
  }
  const propose = async (name: string): Promise<string> => {
    const answer = await server.tool('code_execute', `post("/tags", name: "${name}")["name"]`, agent)
    expect(answer).toMatchObject({ dry_run: true, result: name })
    return answer.plan
  }
  const tags = async () => {
    const { body } = await server.api('GET', '/tags', undefined, { token: agent })
    return body.data.map((tag: { name: string }) => tag.name)
  }

  it('are listed and shown to the person who decides', async () => {
    const plan = await propose('Shown')
    expect(await command('list')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(`${plan}  open .* 1 tag.created`),
    })
    const { code, stdout } = await command('show', plan)
    expect(code).toBe(0)
    expect(stdout).toContain('tag.created #tag 1  Shown')
    expect(stdout).toContain('"name":"Shown"')
    expect(stdout).toContain('post("/tags", name: "Shown")["name"]')
  })

  it('show characters that are not seen, and letters that look like others', async () => {
    const plan = await propose('Nо\u202Ete \u{E0041}')
    const { stdout } = await command('show', plan)
    expect(stdout.match(/Nо⟨U\+043E⟩⟨U\+202E⟩te ⟨U\+E0041⟩/g)?.length).toBeGreaterThan(1)
    expect(stdout).not.toMatch(/[\u202e\u{e0041}]/u)
    expect((await command('reject', plan)).code).toBe(0)
  })

  it('say over how many rows they go on in the background', async () => {
    for (const name of ['One row', 'Another row']) await server.api('POST', '/tags', { name })
    const block = 'rows.each { |row| patch("/tags/#{row["id"]}", name: "#{row["name"]}s") }'
    const code = `# background: true\neach_batch(list("/tags"), of: 1) { |rows| ${block} }`
    const { plan } = await server.tool('code_execute', code, agent)
    expect((await command('show', plan)).stdout).toContain(
      'This is the next batch of a program over 2 rows: once applied, it goes on',
    )
    expect((await command('reject', plan)).code).toBe(0)
  })

  it('say in one line what follows them', async () => {
    await server.api('POST', '/customers', { email: 'ada@letters.example' }, { token: server.token! })
    const code = 'post("/emails", to: "ada@letters.example", subject: "Hi", text: "Hello")["id"]'
    const { plan } = await server.tool('code_execute', code, agent)
    expect((await command('show', plan)).stdout).toContain('\nOnce applied: Sends 1 e-mail to ada@letters.example.\n')
    expect((await command('reject', plan)).code).toBe(0)
  })

  it('are applied by a person, once', async () => {
    const plan = await propose('Applied')
    expect(await command('apply', plan)).toMatchObject({
      code: 0,
      stdout: '"Applied"\n',
      stderr: 'Saved: 1 tag.created\n',
    })
    expect(await tags()).toContain('Applied')
    expect(await shopwright(['plans', 'apply', plan], environment).ended).toMatchObject({
      code: 6,
      stderr: expect.stringContaining('plan_unavailable'),
    })
    expect(await command('list')).toMatchObject({ stdout: expect.stringContaining(`${plan}  applied`) })
  })

  it('are not applied when the shop has changed, and say where', async () => {
    const plan = await propose('Changed')
    const writer = (await run(['token', 'create', 'Writer'], environment)).stdout.trim()
    await server.api('POST', '/tags', { name: 'changed' }, { token: writer })
    const { code, stderr } = await command('apply', plan)
    expect(code).toBe(6)
    expect(stderr).toContain('plan_outdated')
    expect(stderr).toContain('tag.created #tag 1')
    expect(stderr).toContain('committed: none')
  })

  it('are rejected for good', async () => {
    const plan = await propose('Rejected')
    expect(await command('reject', plan)).toMatchObject({ code: 0, stdout: `Rejected ${plan}.\n` })
    expect(await command('reject', plan)).toMatchObject({ code: 6, stderr: expect.stringContaining('rejected at') })
    expect(await command('apply', plan)).toMatchObject({ code: 6, stderr: expect.stringContaining('rejected') })
    expect(await tags()).not.toContain('Rejected')
  })

  it('explain what is wrong with a command', async () => {
    for (const args of [[], ['list', 'more'], ['show'], ['nonsense', 'plan_x'], ['apply', 'plan_x', 'more']])
      expect(await command(...args)).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('npm run plans -- list'),
      })
    for (const verb of ['show', 'apply', 'reject'])
      expect(await command(verb, 'plan_x')).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('no plan plan_x'),
      })
  })
})
