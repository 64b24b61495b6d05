import { createHmac } from 'node:crypto'
import { createServer, type Server as HttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Agent, request } from 'undici'
import { newId } from '../src/contract/values/ids.ts'
import { openDatabase } from '../src/database/open.ts'
import { allMigrations } from '../src/migrations.ts'
import type { Tables } from '../src/resources/tables.ts'
import { onEachEngine } from './engines.ts'
import { httpRequest, load } from './load.ts'
import { median, percentile, printTable, type Row } from './measure.ts'
import { type Server, startShopwright, TOKEN } from './servers.ts'

const LIGHT_EVENTS = 150
const LIGHT_PAUSE_MS = 20
const ROUNDS = Number(process.env.ROUNDS ?? 3)
const LOAD_MS = 2_000
const DELIVERIES = Number(process.env.DELIVERIES ?? 6_000)
const ROWS_AT_ONCE = 500
const CONNECTIONS = 16
const AT_ONCE = 4
const QUIET_MS = 300

interface DeliveryQueue {
  directory: string
  settings: Record<string, string>
  accountId: string
  endpoints: string[]
}

const TARGETS = { lightMs: 50, perSecond: 1_000 }

/** The time at which the receiver got the event of each resource, by the id of the resource. */
const arrivals = new Map<string, number>()
let count = 0
let made = 0
const receiver = await startReceiver()
const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`
const agent = new Agent()

/** Measures how soon events arrive, and how many deliveries per second. The floor is a bare client with bodies of the same size. */
await onEachEngine(async ({ name, directory, settings }) => {
  const server = await startShopwright(directory, {
    ...settings,
    DEMO_DATA: 'none',
    WEBHOOKS_ALLOW_LOOPBACK: 'true',
  })
  const rows: Row[] = []
  const withoutEndpoint = await writesPerSecond(server)
  await register(server, 1)
  rows.push(...(await light(server)))
  rows.push({ name: 'writes without an endpoint', value: withoutEndpoint, unit: '/s' })
  const { id: accountId } = await call(server, 'GET', '/account')
  for (const many of [1, 10]) {
    const queue = { directory, settings, accountId, endpoints: await register(server, many) }
    const [ours, floors]: [number[], number[]] = [[], []]
    for (let round = 0; round < ROUNDS; round++) {
      floors.push(await floor(many))
      ours.push(await sustained(queue))
    }
    const name = many === 1 ? 'one endpoint' : `${many} endpoints`
    rows.push({ name: `deliveries to ${name}`, value: median(ours), unit: '/s', note: `(target ${TARGETS.perSecond})` })
    rows.push({ name: `  bare POSTs, ${AT_ONCE * many} at once`, value: median(floors), unit: '/s' })
    const ratios = ours.map((one, index) => one / floors[index]!)
    rows.push({ name: '  ratio', value: median(ratios), unit: '' })
  }
  printTable(name, rows)
  await server.stop()
})
receiver.close()
await agent.close()

async function light(server: Server): Promise<Row[]> {
  const took: number[] = []
  for (let event = 0; event < LIGHT_EVENTS; event++) {
    const began = performance.now()
    const { id } = await call(server, 'POST', '/tags', { name: `Light ${began}` })
    while (!arrivals.has(id)) await sleep(1)
    took.push(arrivals.get(id)! - began)
    await sleep(LIGHT_PAUSE_MS)
  }
  const note = `(target ${TARGETS.lightMs})`
  return [
    { name: 'request to delivery, light load: median', value: median(took), unit: 'ms', note },
    { name: 'request to delivery, light load: p99', value: percentile(took, 0.99), unit: 'ms' },
  ]
}

/** Returns the deliveries per second of a long queue, from the first arrival to the last. */
async function sustained(queue: DeliveryQueue): Promise<number> {
  await enqueue(queue)
  let [first, last, seen] = [0, 0, count]
  const before = count
  while (first === 0 || performance.now() - last < QUIET_MS) {
    await sleep(1)
    if (count === seen) continue
    ;[seen, last] = [count, performance.now()]
    first ||= last
  }
  return ((count - before) / (last - first)) * 1000
}

/** Writes deliveries into the queue while the server runs, as changes of resources would. */
async function enqueue({ directory, settings, accountId, endpoints }: DeliveryQueue): Promise<void> {
  const migrations = await allMigrations()
  const database = await openDatabase<Tables>({
    databaseUrl: settings.DATABASE_URL,
    directory,
    migrations,
    shared: true,
  })
  const now = new Date().toISOString().replace(/\.\d+/, '')
  const rows = Array.from({ length: DELIVERIES }, (_, index) => {
    const id = newId('whev')
    return {
      ...{ account_id: accountId, id, webhook_endpoint: endpoints[index % endpoints.length]!, type: 'tag.created' },
      ...{ api_version: 'v1', event_group: 'evt_1', status: 'pending' as const, attempts: 0, response_status: null },
      ...{ response_body: null, error_message: null, next_attempt_at: now, delivered_at: null, queue: 'due' },
      ...{ due_ms: Date.now(), finished_at: null, payload: bodyOfSize(id), created_at: now, updated_at: now },
    }
  })
  for (let start = 0; start < rows.length; start += ROWS_AT_ONCE) {
    const some = rows.slice(start, start + ROWS_AT_ONCE)
    await database.transaction(({ db }) => db.insertInto('webhook_events').values(some).execute())
  }
  await database.close()
}

async function writesPerSecond(server: Server): Promise<number> {
  const results = []
  for (let round = 0; round < ROUNDS; round++)
    results.push(await load({ port: server.port, request: newTag, connections: CONNECTIONS, durationMs: LOAD_MS }))
  return median(results.map(({ perSecond }) => perSecond))
}

function newTag(): string {
  return httpRequest('POST', '/v1/tags', TOKEN, { name: `Tag ${process.hrtime.bigint()} ${made++}` })
}

/** Measures bare POST requests per second, with the same concurrency as deliveries to this number of endpoints. */
async function floor(endpoints: number): Promise<number> {
  const data = {
    id: 'tag_01k9z6v8q2f3x7c5m1n4b0r8ta',
    object: 'tag',
    name: 'Tag 123456789',
    created_at: 'x'.repeat(20),
  }
  const body = JSON.stringify({
    id: 'whev_01k9z6v8q2f3x7c5m1n4b0r8ta',
    type: 'tag.created',
    pad: 'x'.repeat(150),
    data,
  })
  const until = performance.now() + LOAD_MS
  let sent = 0
  const began = performance.now()
  await Promise.all(
    Array.from({ length: AT_ONCE * endpoints }, async () => {
      while (performance.now() < until) {
        const signature = createHmac('sha256', 'secret').update(body).digest('base64')
        const headers = { 'content-type': 'application/json', 'webhook-signature': signature }
        const answer = await request(`${url}/floor`, { method: 'POST', body, headers, dispatcher: agent })
        await answer.body.dump()
        sent += 1
      }
    }),
  )
  return (sent / (performance.now() - began)) * 1000
}

/** Returns a body that is as large as that of an event about a tag. */
function bodyOfSize(id: string): string {
  const data = {
    id: 'tag_01k9z6v8q2f3x7c5m1n4b0r8ta',
    object: 'tag',
    name: 'Tag 123456789',
    created_at: 'x'.repeat(20),
  }
  return JSON.stringify({ id, type: 'tag.created', api_version: 'v1', padding: 'x'.repeat(150), data })
}

/** Replaces all webhook endpoints by this number of new ones. */
async function register(server: Server, endpoints: number): Promise<string[]> {
  for (const { id } of (await call(server, 'GET', '/webhook_endpoints?limit=100')).data)
    await call(server, 'DELETE', `/webhook_endpoints/${id}`)
  const ids: string[] = []
  for (let index = 0; index < endpoints; index++) {
    const body = { url: `${url}/${index}`, enabled_events: ['tag.created'] }
    ids.push((await call(server, 'POST', '/webhook_endpoints', body)).id)
  }
  return ids
}

// biome-ignore lint/suspicious/noExplicitAny: responses have no static type in benchmarks
async function call(server: Server, method: string, path: string, body?: object): Promise<any> {
  const response = await fetch(`http://127.0.0.1:${server.port}/v1${path}`, {
    method,
    headers: { Authorization: `Bearer ${TOKEN}`, 'Content-Type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(await response.text())
  return response.json()
}

function startReceiver(): Promise<HttpServer> {
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', () => {
      if (incoming.url !== '/floor') {
        count += 1
        arrivals.set(/"data":\{"id":"(\w+)"/.exec(Buffer.concat(chunks).toString())![1]!, performance.now())
      }
      response.end()
    })
  })
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)))
}
