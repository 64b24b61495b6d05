import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freshDirectory } from '../database/engines.ts'
import { command as run } from '../support/command.ts'
import { type Environment, environmentOf, killAll, type Server, startServer } from '../support/server.ts'

describe('Background programs at the terminal', () => {
  let remove: () => Promise<void>
  let server: Server
  let environment: Environment
  let id: string

  beforeAll(async () => {
    const fresh = await freshDirectory()
    remove = fresh.remove
    environment = environmentOf(fresh.directory)
    server = await startServer(environment)
    const token = server.token!
    for (const name of ['Ash', 'Birch', 'Cedar']) await server.api('POST', '/tags', { name }, { token })
    const block =
      'raise "odd" if rows[0]["name"] == "Birch"; patch("/tags/#{rows[0]["id"]}", name: rows[0]["name"] + "s"); 1'
    const begun = await server.tool(
      'code_execute',
      `# background: true\neach_batch(list("/tags"), of: 1) { |rows| ${block} }`,
      token,
    )
    id = begun.result.background
  })
  afterAll(async () => {
    await server.stop()
    killAll()
    await remove()
  })

  const command = (...args: string[]) => run(['background', ...args], environment)
  const until = async (...states: string[]) => {
    for (;;) {
      const { stdout } = await command('show', id)
      const state = /"state": "(\w+)"/.exec(stdout)![1]!
      if (states.includes(state)) return stdout
    }
  }

  it('are listed and shown, with why they failed', async () => {
    const shown = await until('failed', 'done')
    expect(shown).toContain('"state": "failed"')
    expect(shown).toContain('odd')
    expect(shown).toContain('each_batch(list("/tags"), of: 1)')
    expect(await command('list')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(`${id}  failed  1 of 3 rows`),
    })
  })

  it('go on when they are let, and stop when they are told', async () => {
    const token = server.token!
    const { body } = await server.api('GET', '/tags?query=birch', undefined, { token })
    await server.api('PATCH', `/tags/${body.data[0].id}`, { name: 'Beech' }, { token })
    expect(await command('resume', id)).toMatchObject({ code: 0, stdout: `${id} is queued: 1 of 3 rows are done.\n` })
    expect(await until('failed', 'done')).toContain('"state": "done"')
    expect(await command('stop', id)).toMatchObject({ code: 6, stderr: expect.stringContaining('cannot be stopped') })
    expect(await command('resume', id)).toMatchObject({ code: 6, stderr: expect.stringContaining('cannot be resumed') })
  })

  it('explain what is wrong with a command', async () => {
    for (const args of [[], ['show'], ['list', 'more'], ['nonsense', id], ['stop', id, 'more']])
      expect(await command(...args)).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('npm run background -- list'),
      })
    for (const verb of ['show', 'stop', 'resume'])
      expect(await command(verb, 'bg_x')).toMatchObject({
        code: 6,
        stderr: expect.stringContaining('no background program bg_x'),
      })
  })
})
