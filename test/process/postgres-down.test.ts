import { readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../src/contract/values/ids.ts'
import { freshDirectory } from '../database/engines.ts'
import type { PostgresServer } from '../support/postgres-server.d.mts'
import { findServerPrograms, freePort, startServer as startPostgres } from '../support/postgres-server.mjs'
import { environmentOf, killAll, rpc, type Server, startServer } from '../support/server.ts'

const programs = findServerPrograms()
const UNAVAILABLE = [503, 'storage_unavailable']

afterAll(killAll)

describe.skipIf(!programs)('A server whose PostgreSQL goes down (left out without its programs)', () => {
  const undo: (() => unknown)[] = []
  let postgres: PostgresServer
  let server: Server

  beforeAll(async () => {
    const { directory, remove } = await freshDirectory()
    undo.push(remove)
    postgres = await startPostgres(programs!, undo)
    server = await startServer(
      environmentOf(directory, { DATABASE_URL: postgres.url, WEBHOOKS_ALLOW_LOOPBACK: 'true', SANDBOX_WORKERS: '1' }),
    )
  })
  afterAll(async () => {
    const { stderr } = await server.stop()
    for (const step of undo.reverse()) await step()
    expect(stderr).not.toMatch(/unhandled|failed unexpectedly/i)
  })

  const told = async (method: string, path: string, body?: unknown, headers = {}) => {
    const answer = await server.api(method, path, body, { headers })
    return { answer: [answer.status, answer.body.error?.code], retryAfter: Number(answer.headers.get('retry-after')) }
  }
  const page = async (path: string, init: RequestInit = {}) => {
    const headers = { accept: 'text/html', 'sec-fetch-site': 'same-origin', origin: server.url, ...init.headers }
    const response = await fetch(server.url + path, { redirect: 'manual', ...init, headers })
    return {
      status: response.status,
      retryAfter: Number(response.headers.get('retry-after')),
      text: await response.text(),
    }
  }
  const expectDown = async () => {
    const within = {
      answer: UNAVAILABLE,
      retryAfter: expect.toSatisfy((seconds: number) => seconds >= 1 && seconds <= 60),
    }
    expect(await told('GET', '/tags')).toEqual(within)
    expect(await told('POST', '/tags', { name: 'lost' })).toEqual(within)
    expect(await told('POST', '/tags', { name: 'lost' }, { 'Idempotency-Key': 'down' })).toEqual(within)
    const headers = { Authorization: `Bearer ${server.token}` }
    const mcp = await rpc(`${server.url}/mcp`, headers, 'tools/call', {
      name: 'code_execute',
      arguments: { code: '1' },
    })
    expect([mcp.status, mcp.body.error.code]).toEqual(UNAVAILABLE)
    const ready = await page('/readyz')
    expect([ready.status, JSON.parse(ready.text)]).toEqual([
      503,
      { status: 'unavailable', reason: 'The database server cannot be reached.' },
    ])
    expect((await page('/healthz')).status).toBe(200)
    const cookie = 'shopwright_session=x; __Host-shopwright_session=x; shopwright.session_token=x'
    for (const path of ['/sign-in', '/dashboard', '/pay/co_01hzzzzzzzzzzzzzzzzzzzzzzz', '/set-password/wrong'])
      expect([path, (await page(path, { headers: { cookie } })).status]).not.toEqual([path, 500])
    const form = new URLSearchParams({ email: 'owner@localhost', password: 'correct horse battery staple' })
    const signIn = await page('/sign-in', { method: 'POST', body: form })
    expect([signIn.status, signIn.retryAfter > 0]).toEqual([503, true])
    expect((await page(`/l/${newId('link')}`)).status).toBe(503)
    const connected = await rpc(`${server.url}/connect`, { Authorization: 'Bearer shpc_wrong' }, 'tools/list')
    expect([401, 503]).toContain(connected.status)
  }
  /** Until the first answer, which may need a new connection; never a 500 meanwhile. */
  const expectUp = async () => {
    for (let tries = 0; ; tries++) {
      const { status, body } = await server.api('POST', '/tags', { name: `up ${Date.now()} ${tries}` })
      if (status === 201) return
      expect([status, body.error.code]).toEqual(UNAVAILABLE)
      expect(tries).toBeLessThan(100)
      await delay(100)
    }
  }

  it.each(['SIGINT', 'SIGQUIT'] as const)(
    'answers 503 while it is down after %s, and works again without a restart',
    async (signal) => {
      await expectUp()
      await postgres.stop(signal)
      try {
        await expectDown()
      } finally {
        await postgres.start()
      }
      await expectUp()
      expect((await page('/readyz')).status).toBe(200)
    },
  )

  it('undoes a program whose connection is cut, and says so', async () => {
    await expectUp()
    const code =
      'post("/tags", name: "cut")\nstart = Time.now\nnil while Time.now - start < 1.5\npost("/tags", name: "off")["id"]'
    const running = server.tool('code_execute', code)
    await programOpen(postgres)
    await ended(postgres)
    expect(await running).toMatchObject({ error: { type: 'storage_unavailable' }, committed: 'none' })
    await expectUp()
    const { body } = await server.api('GET', '/tags?limit=100')
    expect(body.data.map((tag: { name: string }) => tag.name)).not.toContain('cut')
  })

  it('never answers 500 to requests whose connections are cut under load', async () => {
    let over = false
    const statuses = new Map<number, number>()
    const clients = Array.from({ length: 6 }, async (_, client) => {
      for (let count = 0; !over; count++) {
        const { status } = await server.api('GET', `/tags?limit=${1 + ((client + count) % 50)}`)
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
      }
    })
    for (let cut = 0; cut < 5; cut++) {
      await delay(150)
      await ended(postgres)
    }
    over = true
    await Promise.all(clients)
    expect([...statuses.keys()].sort()).not.toContain(500)
    expect(statuses.get(200)).toBeGreaterThan(0)
  })

  it('answers 503 when the server has no connection left', async () => {
    await postgres.stop()
    await postgres.start({ max_connections: '8', superuser_reserved_connections: '0' })
    const others: Client[] = []
    await expect
      .poll(async () => {
        await takeAll(others, postgres.url)
        return (await told('GET', '/tags')).answer
      })
      .toEqual(UNAVAILABLE)
    await Promise.all(others.map((client) => client.end()))
    await expectUp()
    await postgres.stop()
    await postgres.start()
  })

  it('waits with jobs and deliveries, says once what is wrong, and carries them out afterwards', async () => {
    await expectUp()
    const before = server.printed().length
    await postgres.stop()
    const [usage, began] = [await processorMs(server), performance.now()]
    await delay(5_000)
    const share = ((await processorMs(server)) - usage) / (performance.now() - began)
    expect(share).toBeLessThan(0.5)
    const lines = server.printed().slice(before).trim().split('\n')
    expect(lines.filter((line) => /cannot be reached/.test(line)).length).toBeLessThanOrEqual(1)
    expect(lines.length).toBeLessThanOrEqual(2)
    await postgres.start()
    await expectUp()
    const hook = { url: `http://127.0.0.1:${await freePort()}/hook`, enabled_events: ['*'] }
    expect((await server.api('POST', '/webhook_endpoints', hook)).status).toBe(201)
    expect((await server.api('POST', '/products', { name: 'told' })).status).toBe(201)
    await expect
      .poll(async () => (await server.api('GET', '/webhook_events')).body.data?.[0]?.attempts)
      .toBeGreaterThan(0)
  })
})

/** Ends every connection but the one that says so. */
async function ended({ url }: PostgresServer): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query('select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid()')
  await client.end()
}

/** Waits until a program computes in its open transaction. */
async function programOpen({ url }: PostgresServer): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  const waiting = `select 1 from pg_stat_activity where state = 'idle in transaction' and state_change < now() - interval '200 ms'`
  await expect.poll(async () => (await client.query(waiting)).rowCount, { timeout: 20_000 }).toBeGreaterThan(0)
  await client.end()
}

/** Milliseconds of processor time that a process has used. */
async function processorMs({ child }: Server): Promise<number> {
  const fields = (await readFile(`/proc/${child.pid}/stat`, 'utf8')).split(') ')[1]!.split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

/** Connects until there is no connection left, those that the server had included. */
async function takeAll(clients: Client[], connectionString: string): Promise<void> {
  const own = clients.map((client) => (client as Client & { processID: number }).processID)
  const cut = 'select pg_terminate_backend(pid) from pg_stat_activity where datname is not null and pid <> all($1)'
  await clients[0]?.query(cut, [own])
  for (;;) {
    const client = new Client({ connectionString })
    client.on('error', () => {})
    try {
      await client.connect()
    } catch {
      return
    }
    clients.push(client)
  }
}
