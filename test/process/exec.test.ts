import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freshDirectory } from '../database/engines.ts'
import { command } from '../support/command.ts'
import { some } from '../support/depth.ts'
import {
  type Environment,
  environmentOf,
  killAll,
  launch,
  type Server,
  shopwright,
  startServer,
} from '../support/server.ts'

const FAILING = `post('/tags', name: 'Undone')
puts 'so far'
File.read('secret')`

describe.each(some(['beside a running server', 'alone'], 1))('exec, %s', (place) => {
  let directory: string
  let remove: () => Promise<void>
  let server: Server
  let environment: Environment

  beforeAll(async () => {
    ;({ directory, remove } = await freshDirectory())
    environment = environmentOf(directory)
    server = await startServer(environment)
    if (place === 'alone') await server.stop()
  })
  afterAll(async () => {
    if (place !== 'alone') expect(await server.stop()).toMatchObject({ code: 0, stderr: '' })
    killAll()
    await remove()
  })

  const exec = (args: string[], input?: string) => command(['exec', ...args], environment, input)
  const program = async (code: string) => {
    const path = join(directory, 'program.rb')
    await writeFile(path, code)
    return path
  }

  it('runs a file: its value, and apart from it what it printed', async () => {
    const path = await program("puts 'Hello'\n{ sum: 1 + 1 }")
    const ended = await shopwright(['exec', path], environment).ended
    expect(ended).toEqual({ code: 0, signal: null, stdout: '{\n  "sum": 2\n}\n', stderr: 'Hello\n' })
  })

  it('runs standard input, which writes to the shop', async () => {
    expect(await exec([], "post('/tags', name: 'Kept')[:name]")).toMatchObject({ code: 0, stdout: '"Kept"\n' })
    expect(await exec(['-'], "get('/tags')[:data].map { |tag| tag[:name] }.include?('Kept')")).toMatchObject({
      code: 0,
      stdout: 'true\n',
    })
  })

  it('runs --search over the catalogue', async () => {
    const search = "tools.find { |tool| tool[:method] == 'POST' && tool[:path] == '/products' }[:summary]"
    expect(await exec(['--search'], search)).toMatchObject({ code: 0, stdout: '"Create a product"\n' })
    expect(await exec(['--search', await program(search)])).toMatchObject({ code: 0, stdout: '"Create a product"\n' })
  })

  it('tells where a program failed, why, and that nothing was kept', async () => {
    const { code, stdout, stderr } = await exec([await program(FAILING)])
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/^so far\nforbidden: .*File/)
    expect(stderr).toMatch(/^ {2}line 3: File\.read\('secret'\)$/m)
    expect(stderr).toMatch(/^ {2}hint: /m)
    expect(stderr).toMatch(/^ {2}committed: none$/m)
    const { stdout: tags } = await exec([], "get('/tags')[:data].map { |tag| tag[:name] }.include?('Undone')")
    expect(tags).toBe('false\n')
  })

  it('ends as refused when the program returns a refusal', async () => {
    const { code, stdout } = await exec([], 'post("/products")')
    expect([code, JSON.parse(stdout).error.code]).toEqual([6, 'parameter_missing'])
    expect((await exec([], 'post("/products")["error"]["code"]')).code).toBe(0)
  })

  it('tells of a file that is not there or cannot be read, and of an option that there is not', async () => {
    const said = async (...args: string[]) => {
      const { code, stdout, stderr } = await exec(args)
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
      return stderr
    }
    expect(await said('nothing.rb')).toMatch(/^There is no file nothing\.rb \(\/.*\/nothing\.rb\)\.\n$/)
    expect(await said(directory)).toBe(`${directory} is a directory, not a file.\n`)
    expect(await said('--serach')).toMatch(/no option --serach\. Did you mean --search\?/)
    expect(await said('one.rb', 'two.rb')).toMatch(/one program/)
  })

  it('leaves no token behind', async () => {
    const { stdout } = await command(['token', 'list'], environment)
    expect(stdout.trim().split('\n')).toHaveLength(1)
    expect(stdout).toMatch('First token')
  })

  it('runs through npm', async () => {
    const run = (args: string[], input?: string) =>
      launch('npm', ['run', '-s', 'exec', ...args], environment, input).ended
    expect(await run(['--', '--search'], 'tools.size > 10')).toMatchObject({ code: 0, stdout: 'true\n' })
    expect((await run([], 'nil.upcase')).code).toBe(1)
  })
})

describe('exec with another server', () => {
  let directory: string
  let remove: () => Promise<void>
  let server: Server

  beforeAll(async () => {
    ;({ directory, remove } = await freshDirectory())
    server = await startServer(environmentOf(directory))
  })
  afterAll(async () => {
    await server.stop()
    await remove()
  })

  const exec = (more: Environment, input = '1 + 1') =>
    command(['exec'], { ...environmentOf(join(directory, 'elsewhere')), ...more }, input)

  it('runs on the one that SHOPWRIGHT_URL and SHOPWRIGHT_TOKEN name', async () => {
    for (const url of [server.url, `${server.url}/`]) {
      const { stdout } = await exec({ SHOPWRIGHT_URL: url, SHOPWRIGHT_TOKEN: server.token! }, "get('/account')[:id]")
      expect(stdout).toMatch(/^"acct_/)
    }
  })

  it('runs on the local shop when SHOPWRIGHT_TOKEN alone is set', async () => {
    const local = environmentOf(directory)
    const token = { SHOPWRIGHT_TOKEN: 'a-token-of-another-server' }
    expect(await command(['exec'], { ...local, ...token }, '1 + 1')).toMatchObject({ code: 0, stdout: '2\n' })
  })

  it('tells of a token that it does not accept, without repeating it', async () => {
    const { code, stderr } = await exec({ SHOPWRIGHT_URL: server.url, SHOPWRIGHT_TOKEN: 'not-a-token-of-this-server' })
    expect(code).toBe(5)
    expect(stderr).toMatch(/^The server refused: The API token is invalid[^\n]+\n$/)
    expect(stderr).not.toMatch('not-a-token')
  })

  it('tells of a server that does not answer, is none of ours, or is no address', async () => {
    const token = { SHOPWRIGHT_TOKEN: server.token! }
    const sentence = async (url: string, expected = 4) => {
      const { code, stderr } = await exec({ SHOPWRIGHT_URL: url, ...token })
      expect(code).toBe(expected)
      return stderr
    }
    expect(await sentence('http://127.0.0.1:9')).toBe('No server answers at http://127.0.0.1:9.\n')
    expect(await sentence('nowhere', 2)).toMatch(/^SHOPWRIGHT_URL [^\n]+\n$/)
    const page = createServer((_, response) => response.end('<html>')).listen(0, '127.0.0.1')
    await once(page, 'listening')
    const { port } = page.address() as AddressInfo
    const other = await sentence(`http://127.0.0.1:${port}`)
    page.close()
    expect(other).toBe(`The server at http://127.0.0.1:${port}/mcp is not a Shopwright server.\n`)
    const { code, stderr } = await exec({ SHOPWRIGHT_URL: server.url })
    expect({ code, stderr }).toEqual({
      code: 5,
      stderr: 'SHOPWRIGHT_URL is set, so SHOPWRIGHT_TOKEN must be set too.\n',
    })
  })

  it('deletes its token also when it is stopped', async () => {
    const environment = environmentOf(directory)
    const list = async () => (await command(['token', 'list'], environment)).stdout
    const running = shopwright(['exec'], environment, 'loop { }')
    while (!(await list()).includes('npm run exec'));
    running.child.kill('SIGINT')
    expect((await running.ended).code).toBe(130)
    expect(await list()).not.toMatch('npm run exec')
  })
})
