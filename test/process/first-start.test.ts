import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { claudeCodeCommand, clientConfigurations } from '../../src/access/client-configuration.ts'
import { freshDirectory } from '../database/engines.ts'
import { startApp } from '../support/app.ts'
import { DEEP, some } from '../support/depth.ts'
import { type Ended, environmentOf, rpc, type Server, shopwright, startServer } from '../support/server.ts'

describe('a first start on an empty directory', () => {
  let directory: string
  let remove: () => Promise<void>
  let server: Server
  let greeting: string
  let guide: string
  let stopped: Ended
  const answers: Record<string, number> = {}

  beforeAll(async () => {
    ;({ directory, remove } = await freshDirectory())
    server = await startServer(environmentOf(directory, { LOG_LEVEL: 'debug' }))
    greeting = server.printed()
    answers.first = (await server.api('GET', '/account')).status
    guide = await (await fetch(`${server.url}/docs/clients.md`)).text()
    for (const [name, { url, headers }] of Object.entries(clientsIn(guide))) {
      const { status, body } = await rpc(url, filledIn(headers, server.token!), 'tools/list')
      expect(body.result.tools.map((tool: { name: string }) => tool.name)).toEqual(['code_search', 'code_execute'])
      answers[name] = status
    }
    await server.tool('code_execute', "get('/account')")
    stopped = await server.stop()
  })
  afterAll(() => remove())

  it('prints addresses that answer and one token that works', () => {
    const { origin } = new URL(server.url)
    const port = origin.split(':').at(-1)
    expect(greeting).toMatch(`http://localhost:${port}/v1\n`)
    expect(greeting).toMatch(`http://localhost:${port}/mcp\n`)
    expect(greeting).toMatch(`http://localhost:${port}/v1/openapi.json\n`)
    expect(new Set(greeting.match(/shpw_\w+/g)).size).toBe(1)
    expect(answers.first).toBe(200)
  })

  it('documents configurations for Claude Code, Cursor and VS Code that work and hold no token', () => {
    expect(answers).toMatchObject({ claude: 200, cursor: 200, vscode: 200 })
    const { claude, cursor, vscode } = clientsIn(guide)
    expect(claude!.headers.Authorization).toBe('Bearer $SHOPWRIGHT_TOKEN')
    expect(cursor!.headers.Authorization).toMatch(/^Bearer \$\{env:SHOPWRIGHT_TOKEN\}$/)
    expect(vscode!.headers.Authorization).toMatch(/^Bearer \$\{input:shopwright-token\}$/)
    const { inputs, servers } = json(guide, '.vscode/mcp.json')
    expect(servers.shopwright.type).toBe('http')
    expect(inputs).toEqual([
      { type: 'promptString', id: 'shopwright-token', description: 'Shopwright API token', password: true },
    ])
    expect(greeting.split(server.token!)).toHaveLength(2)
    expect(guide).not.toContain(server.token!)
  })

  it('prints the command for Claude Code that the README and the documentation show, and where the others are', async () => {
    const readme = await readFile(new URL('../../README.md', import.meta.url), 'utf8')
    const { origin } = new URL(greeting.match(/http:\S+\/mcp/)![0])
    for (const text of [greeting, guide]) expect(text).toContain(claudeCodeCommand(origin))
    expect(greeting).toContain(`${origin}/docs/clients\n`)
    expect(readme).toContain(claudeCodeCommand('http://localhost:3000'))
    for (const { text } of clientConfigurations(origin)) expect(guide).toContain(text)
  })

  it('ends with exit code 0 when it is asked to', () => {
    expect(stopped).toMatchObject({ code: 0, signal: null, stderr: '' })
  })

  it('keeps the secret key for its owner alone', async () => {
    expect((await stat(join(directory, 'secret.key'))).mode & 0o777).toBe(0o600)
    expect((await readFile(join(directory, 'secret.key'), 'utf8')).length).toBeGreaterThanOrEqual(32)
  })

  it('is greeted with the same token but not shown it on a second start', async () => {
    const second = await startServer(environmentOf(directory, { LOG_LEVEL: 'debug' }))
    const { status } = await second.api('GET', '/account', undefined, { token: server.token })
    const { stdout, stderr } = await second.stop()
    expect(second.token).toBeNull()
    expect(stdout).toMatch('npm run token -- create')
    expect(status).toBe(200)
    expect(stdout + stderr).not.toMatch(server.token!)
  })

  it('writes neither token nor secret to any other file, nor the secret to the log', async () => {
    const secret = await readFile(join(directory, 'secret.key'), 'utf8')
    expect(stopped.stdout + stopped.stderr).not.toMatch(secret)
    expect(await filesWith(directory, server.token!)).toEqual([])
    expect(await filesWith(directory, secret)).toEqual(['secret.key'])
  })

  it('leaves no address and no process number behind', async () => {
    const files = await readdir(directory)
    expect(files).not.toContain('shopwright.url')
    expect(files).not.toContain('shopwright.pid')
  })
})

/** What a service in production may not do, and the other tests need. */
const PRODUCTION = { WEBHOOKS_ALLOW_LOOPBACK: 'false', OUTSIDE_ALLOW_LOOPBACK: 'false' }

/** When the first kill comes, and how much later each is than the one before. */
const KILLS = DEEP ? { firstMs: 200, growth: 1.25 } : { firstMs: 600, growth: 1.5 }

describe('the demo shop', () => {
  const products = async (settings: Record<string, string>) => {
    const app = await startApp({ settings: { ...settings, ...PRODUCTION } })
    const { body } = await app.api('GET', '/products')
    await app.close()
    return body.data.length as number
  }

  const WITH_DEMO: Record<string, string>[] = [{ DEMO_DATA: '' }, { DEMO_DATA: 'shop', NODE_ENV: 'production' }]
  it.each(some(WITH_DEMO, 1))('is there when it was asked for or nothing was said: %j', async (settings) => {
    expect(await products(settings)).toBeGreaterThan(2)
  })

  it('is not there when it was not asked for in production, or not wanted', async () => {
    expect(await products({ DEMO_DATA: 'none' })).toBe(0)
    expect(await products({ DEMO_DATA: '', NODE_ENV: 'production' })).toBe(0)
  })

  it('comes with the first account or not at all, however early the process ends', async () => {
    const { directory, remove } = await freshDirectory()
    const environment = environmentOf(directory, { DEMO_DATA: 'shop', BOOTSTRAP_TOKEN: 'a-token-for-impatient-starts' })
    for (let delayMs = KILLS.firstMs; ; delayMs *= KILLS.growth) {
      const early = shopwright(['start'], environment)
      const timer = setTimeout(() => early.child.kill('SIGKILL'), delayMs)
      const greeted = await early.until(/REST API/).then(
        () => true,
        () => false,
      )
      clearTimeout(timer)
      early.child.kill('SIGKILL')
      await early.ended
      if (greeted) break
    }
    const server = await startServer(environment)
    const { body } = await server.api('GET', '/products', undefined, { token: environment.BOOTSTRAP_TOKEN })
    await server.stop()
    await remove()
    expect(body.data.length).toBeGreaterThan(2)
  })
})

interface Client {
  url: string
  headers: Record<string, string>
}

/** Returns the URL and headers of each documented configuration. */
function clientsIn(guide: string): Record<string, Client> {
  const [, url, header] = /claude mcp add --transport http shopwright (\S+) --header "([^"]+)"/.exec(guide)!
  const [name, value] = header!.split(': ')
  return {
    claude: { url: url!, headers: { [name!]: value! } },
    cursor: json(guide, '.cursor/mcp.json').mcpServers.shopwright,
    vscode: json(guide, '.vscode/mcp.json').servers.shopwright,
  }
}

/** What a client sends once it has put the token in the place of its variable. */
function filledIn(headers: Record<string, string>, token: string): Record<string, string> {
  return { Authorization: headers.Authorization!.replace(/\$(SHOPWRIGHT_TOKEN|\{[\w:-]+\})$/, token) }
}

/** The JSON below the name of its file. */
function json(guide: string, file: string) {
  return JSON.parse(/^\{\n[\s\S]*?^\}$/m.exec(guide.slice(guide.indexOf(file)))![0])
}

async function filesWith(directory: string, text: string): Promise<string[]> {
  const files = await readdir(directory, { recursive: true, withFileTypes: true })
  const found = files
    .filter((file) => file.isFile())
    .map(async ({ parentPath, name }) => ((await readFile(join(parentPath, name))).includes(text) ? [name] : []))
  return (await Promise.all(found)).flat()
}
