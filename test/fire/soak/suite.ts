import { readdirSync, readFileSync, statSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import { command } from '../../support/command.ts'
import { prepareShop } from '../../support/prepared.ts'
import { startReceiver } from '../../support/receiver.ts'
import { environmentOf, startServer } from '../../support/server.ts'
import { Report, suiteOptions } from '../report.ts'
import { Crowd } from './crowd.ts'
import { leastOf, type Sample, slopeOf } from './trend.ts'

/** Hours of everything at once: nothing may grow but what the shop keeps. */
const options = suiteOptions({ minutes: '10' })
const MINUTES = Number(options.minutes)
/** What the first share of the time adds is warming up: code that is compiled, caches that fill. */
const WARM_UP = MINUTES < 30 ? 0.5 : 0.3
const SAMPLE_MS = 1_000
/** Of memory, the least of so many minutes is looked at. */
const SPAN_MINUTES = Math.min(1, MINUTES / 20)
const METRICS_TOKEN = 'the-metrics-token-of-soak'
const UNLIMITED = '100000000'

/** What may rise a minute once it is warm. A short run is still warming up a little. */
const MOST_A_MINUTE = {
  'resident memory, MB': MINUTES < 30 ? 3 : 0.5,
  'heap, MB': MINUTES < 30 ? 1.5 : 0.3,
  'open files': 0.5,
  'log of commits, MB': 0.5,
  'jobs that wait to be done': 2,
  'deliveries that wait to be sent': 2,
} as const
type Name = keyof typeof MOST_A_MINUTE
const MEMORY: readonly Name[] = ['resident memory, MB', 'heap, MB']

const directory = await mkdtemp(join(tmpdir(), 'shopwright-soak-'))
const environment = environmentOf(directory, {
  RATE_LIMIT_PER_MINUTE: UNLIMITED,
  RATE_LIMIT_BURST: UNLIMITED,
  RATE_LIMIT_SLOW_PER_MINUTE: UNLIMITED,
  CHECKOUT_POSTS_PER_MINUTE: UNLIMITED,
  WEBHOOKS_ALLOW_LOOPBACK: 'true',
  METRICS_TOKEN,
})
const token = await prepareShop(environment)
const server = await startServer(environment)
const receiver = await startReceiver()
const report = new Report()
const crowd = new Crowd({ url: server.url, token, receiver })
const series = new Map<Name, Sample[]>()
/** Rows of each table, with how much had been done by then. */
const sizes: { minute: number; acts: number; rows: Map<string, number> }[] = []
let over = false
const working = crowd.work(() => over)
working.catch(() => {
  over = true
})

const began = performance.now()
for (let minute = 0; minute < MINUTES && !over; minute = (performance.now() - began) / 60_000) {
  await delay(SAMPLE_MS)
  const now = (performance.now() - began) / 60_000
  for (const [name, value] of Object.entries(await measure())) {
    const samples = series.get(name as Name) ?? []
    series.set(name as Name, samples)
    samples.push({ minute: now, value })
  }
  if (now >= (sizes.length + 1) * (MINUTES / 20)) sizes.push({ minute: now, acts: done(), rows: rowsNow() })
}
over = true
await report.check('Everything that was asked for was done', () => working)
for (const [name, most] of Object.entries(MOST_A_MINUTE) as [Name, number][]) await checkTrend(name, most)
await report.check('No table grows faster than what is done', checkTables)
for (const [name, count] of Object.entries(crowd.acts)) report.figure(`${name}s`, count)
await server.stop()
await report.check('npm run verify finds nothing wrong afterwards', async () => {
  const { code, stdout } = await command(['verify'], environment)
  if (code !== 0) throw new Error(stdout)
})
await receiver.close()
await rm(directory, { recursive: true, force: true })
report.end()

function done(): number {
  return Object.values(crowd.acts).reduce((sum, count) => sum + count, 0)
}

async function measure(): Promise<Record<Name, number>> {
  const { pid } = server.child
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const answer = await fetch(`${server.url}/metrics`, { headers: { Authorization: `Bearer ${METRICS_TOKEN}` } })
  const heap = /^\w*nodejs_heap_size_used_bytes\S* (\S+)/m.exec(await answer.text())
  const waiting = withDatabase((database) => ({
    jobs: countOf(database, `select count(*) as n from jobs where state in ('due', 'working')`),
    deliveries: countOf(database, 'select count(*) as n from webhook_events where finished_at is null'),
  }))
  return {
    'resident memory, MB': Number(/VmRSS:\s+(\d+) kB/.exec(status)![1]) / 1024,
    'heap, MB': Number(heap?.[1] ?? Number.NaN) / 2 ** 20,
    'open files': readdirSync(`/proc/${pid}/fd`).length,
    'log of commits, MB': statSync(join(directory, 'shopwright.db-wal')).size / 2 ** 20,
    'jobs that wait to be done': waiting.jobs,
    'deliveries that wait to be sent': waiting.deliveries,
  }
}

function rowsNow(): Map<string, number> {
  return withDatabase((database) => {
    const tables = database.prepare(`select name from sqlite_schema where type = 'table'`).all()
    return new Map(tables.map(({ name }) => [String(name), countOf(database, `select count(*) as n from "${name}"`)]))
  })
}

function countOf(database: DatabaseSync, query: string): number {
  return Number(database.prepare(query).get()!.n)
}

function withDatabase<Result>(look: (database: DatabaseSync) => Result): Result {
  const database = new DatabaseSync(join(directory, 'shopwright.db'), { readOnly: true, timeout: 10_000 })
  try {
    return look(database)
  } finally {
    database.close()
  }
}

async function checkTrend(name: Name, most: number): Promise<void> {
  const warm = series.get(name)!.filter(({ minute }) => minute >= MINUTES * WARM_UP)
  const slope = slopeOf(MEMORY.includes(name) ? leastOf(warm, SPAN_MINUTES) : warm.filter((_, at) => at % 5 === 0))
  const values = warm.map(({ value }) => value)
  const range = `${Math.min(...values).toFixed(1)} to ${Math.max(...values).toFixed(1)}`
  await report.check(`${name}: ${range}, ${slope.toFixed(3)} more a minute, at most ${most}`, () => {
    if (!(slope <= most)) throw new Error('It grows.')
  })
}

/** Orders and events are kept, so they grow with what is done; a table that grows faster in the second half is no table of that. */
function checkTables(): void {
  const [first, middle, last] = [sizes[0], sizes[Math.floor(sizes.length / 2)], sizes.at(-1)]
  if (!first || !middle || !last || middle === last) throw new Error('There were too few samples.')
  const faster = [...last.rows].flatMap(([table, rows]) => {
    const rate = (from: typeof first, to: typeof last) =>
      ((to.rows.get(table) ?? 0) - (from.rows.get(table) ?? 0)) / Math.max(1, to.acts - from.acts)
    const [before, after] = [rate(first, middle), rate(middle, last)]
    return after > before * 1.5 + 0.05
      ? [`${table}: ${rows} rows, ${after.toFixed(2)} an act, before ${before.toFixed(2)}`]
      : []
  })
  if (faster.length > 0) throw new Error(faster.join('\n'))
}
