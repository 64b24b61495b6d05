import { spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { VERSION } from '../../src/runtime/version.ts'
import { settingMeanings } from '../../src/settings/config.ts'
import { freshDirectory } from '../database/engines.ts'
import { type RunningApp, startApp } from '../support/app.ts'
import { ROOT, read } from '../support/source-files.ts'

const FOLDER = join(ROOT, 'examples/deploy')
const program = (...paths: string[]) => paths.find(existsSync)
const NGINX = program('/usr/sbin/nginx')
const CADDY = program('/usr/bin/caddy')
const SYSTEMD = program('/usr/bin/systemd-analyze')
const absent = (found: string | undefined, name: string) =>
  found ? name : `${name} (ABSENT: install Debian’s package)`
const run = (path: string, args: string[]) => {
  const { status, stdout, stderr } = spawnSync(path, args, { encoding: 'utf8', cwd: FOLDER })
  return { status, said: stdout + stderr }
}

let directory: string
let remove: () => Promise<void>
beforeAll(async () => {
  ;({ directory, remove } = await freshDirectory())
})
afterAll(() => remove())

describe.skipIf(!CADDY)(absent(CADDY, 'Caddy'), () => {
  it('accepts the Caddyfile', () => {
    const { status, said } = run(CADDY!, ['validate', '--adapter', 'caddyfile', '--config', 'Caddyfile'])
    expect({ status, said }).toMatchObject({ status: 0, said: expect.stringContaining('Valid configuration') })
  })
})

describe.skipIf(!SYSTEMD)(absent(SYSTEMD, 'systemd'), () => {
  it('accepts the unit, and finds it well confined', () => {
    const { said } = run(SYSTEMD!, ['verify', 'shopwright.service'])
    // The release is not installed here; nothing else may be wrong.
    const faults = said.split('\n').filter((line) => line !== '' && !line.includes('is not executable: No such file'))
    expect(faults).toEqual([])
    const security = run(SYSTEMD!, ['security', '--offline=true', 'shopwright.service']).said
    const exposure = Number(/Overall exposure level[^\d]*(\d+\.\d)/.exec(security)?.[1])
    expect(exposure).toBeLessThan(2)
  })
})

describe('the examples of how to run it', () => {
  it('name settings that exist, and the version of this release', () => {
    const known = [...settingMeanings().map(({ name }) => name), 'NODE_COMPILE_CACHE']
    const compose = read('examples/deploy/compose.yaml')
    const service = /\n {2}shopwright:\n([\s\S]*?)\n {2}database:/.exec(compose)![1]!
    const named = [...service.matchAll(/^ {6}([A-Z_]+): /gm)].map(([, name]) => name!)
    const unit = /^Environment=(.*)$/m.exec(read('examples/deploy/shopwright.service'))![1]!
    const ofUnit = [...unit.matchAll(/(?:^| )([A-Z_]+)=/g)].map(([, name]) => name!)
    expect(named.length + ofUnit.length).toBeGreaterThan(7)
    expect([...named, ...ofUnit].filter((name) => !known.includes(name))).toEqual([])
    expect(compose).toContain(`image: shopwright:${VERSION}\n`)
  })
})

describe.skipIf(!NGINX)(absent(NGINX, 'nginx'), () => {
  let shop: RunningApp
  let proxy: string
  let stop: () => Promise<void>

  beforeAll(async () => {
    shop = await startApp({
      settings: { TRUST_PROXY: 'true', ALLOWED_HOSTS: 'shop.example', RATE_LIMIT_BURST: '1000' },
    })
    const port = await freePort()
    proxy = `http://127.0.0.1:${port}`
    const site = read('examples/deploy/nginx.conf')
      .replace('server 127.0.0.1:3000;', `server 127.0.0.1:${new URL(shop.url).port};`)
      .replace(/server \{\n {2}listen 80;[\s\S]*?\n\}\n/, '')
      .replace('listen 443 ssl http2;', `listen ${port};`)
      .replace(/ {2}ssl_certificate.*\n/g, '')
    await mkdir(join(directory, 'logs'))
    const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (one) => `${one}_temp_path ${directory}/${one};`,
    )
    await writeFile(
      join(directory, 'nginx.conf'),
      `daemon off; pid ${directory}/pid; error_log stderr; events {} http { access_log off; ${places.join(' ')}\n${site}}`,
    )
    const child = spawn(NGINX!, ['-p', directory, '-c', 'nginx.conf'], { stdio: 'ignore' })
    const ended = new Promise((resolve) => child.once('exit', resolve))
    stop = async () => {
      child.kill('SIGTERM')
      await ended
    }
    for (let tries = 0; tries < 200; tries++) {
      if (
        await fetch(`${proxy}/healthz`).then(
          ({ ok }) => ok,
          () => false,
        )
      )
        return
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    throw new Error('nginx does not answer.')
  })
  afterAll(async () => {
    await stop?.()
    await shop?.close()
  })

  const authorized = () => ({ Authorization: `Bearer ${shop.token}` })

  it('passes requests on, and answers with their headers', async () => {
    const answer = await fetch(`${proxy}/v1/account`, { headers: authorized() })
    expect([answer.status, answer.headers.get('shopwright-version')]).toEqual([200, VERSION])
    for (const path of ['/metrics', '/site-hosts?domain=shop.example'])
      expect((await fetch(proxy + path)).status).toBe(404)
  })

  it('lets a program tell how far it is while it runs', async () => {
    const body = {
      ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
      params: {
        name: 'code_execute',
        arguments: {
          code: '4.times { |n| post("/tags", name: "Tag #{n}") }; "There are #{get("/tags")["data"].size} tags"',
        },
        _meta: { progressToken: 1 },
      },
    }
    const headers = {
      ...{ 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
      ...authorized(),
    }
    const answer = await fetch(`${proxy}/mcp`, { method: 'POST', headers, body: JSON.stringify(body) })
    expect(answer.status).toBe(200)
    const direct = await fetch(`${shop.url}/mcp`, { method: 'POST', headers, body: JSON.stringify(body) })
    expect(answer.headers.get('content-type')).toBe(direct.headers.get('content-type'))
    expect(await answer.text()).toContain('There are 4 tags')
    await direct.text()
  })

  it('leaves it to the service to say how large a request may be', async () => {
    const large = { method: 'POST', headers: { ...authorized(), 'Content-Type': 'application/json' } }
    const body = JSON.stringify({ name: 'Tea', description: 'x'.repeat(3_000_000) })
    const [through, direct] = [proxy, shop.url].map((url) => fetch(`${url}/v1/products`, { ...large, body }))
    const answers = await Promise.all([through!, direct!])
    expect(answers.map(({ status }) => status)).toEqual([answers[1]!.status, answers[1]!.status])
    expect(answers[0]!.headers.get('server')).toMatch(/^nginx/)
    expect(await answers[0]!.json()).toMatchObject({ error: { code: expect.any(String) } })
  })

  it('tells the service who asks, so that limits are theirs', async () => {
    const wrong = async (address: string) =>
      (await fetch(`${proxy}/v1/account`, { headers: { Authorization: 'Bearer wrong', 'X-Forwarded-For': address } }))
        .status
    // What a client says itself of its address counts for nothing: nginx adds the true one at the end.
    const statuses = await Promise.all(Array.from({ length: 150 }, (_, n) => wrong(`203.0.113.${n}`)))
    expect(statuses).toContain(429)
  })
})

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
}
