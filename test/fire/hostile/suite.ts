import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { command } from '../../support/command.ts'
import { prepareShop } from '../../support/prepared.ts'
import { request } from '../../support/request.ts'
import { environmentOf, startServer } from '../../support/server.ts'
import { Random } from '../power-loss/random.ts'
import { Report, suiteOptions } from '../report.ts'
import { type Hostile, hostileProgram } from './programs.ts'

/** Runs programs that attack the interpreter, many at once, beside a neighbor who only reads. */
const options = suiteOptions({ programs: '10000', seed: '1' })
const PROGRAMS = Number(options.programs)
const ATTACKERS = 8
const ACCOUNTS = 4
const UNLIMITED = '100000000'
const TOKEN = /\bshpw_[0-9A-Za-z]{36}\b/
const PHASE_MS = 20_000
const NEIGHBOR_PAUSE_MS = 15
/** Most attackers give up early, which ends their worker, so that the deadline of 5 s does not decide how many programs run. */
const PATIENT_SHARE = 0.2
const MOST_PATIENCE_MS = 500
/** The statuses of a server that is too busy. Any other status without a result or an error of the program is a failure. */
const REFUSED_STATUS = [429, 503]
/** Well-behaved programs that keep the workers busy, with which the latency beside hostile ones is compared. */
const BUSY: Hostile = {
  family: 'busy',
  kind: 'code_execute',
  code: '(1..50_000).sum { |i| i * i }\nget("/products")["data"].size',
}

const directory = await mkdtemp(join(tmpdir(), 'shopwright-hostile-'))
const environment = environmentOf(directory, {
  RATE_LIMIT_PER_MINUTE: UNLIMITED,
  RATE_LIMIT_BURST: UNLIMITED,
  RATE_LIMIT_SLOW_PER_MINUTE: UNLIMITED,
  SANDBOX_WORKERS: '2',
})
const neighbor = await prepareShop(environment)
const attackers: string[] = []
for (let number = 1; number <= ACCOUNTS; number++) {
  const { stdout } = await command(
    ['account', 'create', `Attacker ${number}`, '--owner', `a${number}@example.com`],
    environment,
  )
  attackers.push(TOKEN.exec(stdout)![0])
}
const report = new Report()
const server = await startServer(environment)
for (const token of [neighbor, ...attackers])
  for (const name of ['Tea', 'Cups', 'Kettle'])
    await request(server.url, token, 'POST', '/products', { name, status: 'active', description: 'x'.repeat(4000) })
const outcomes = new Map<string, number>()
const unexpected: string[] = []

const quiet = await besides(delay(PHASE_MS))
// The neighbor needs one worker; the second regular worker is started later and stays.
const threads = threadCount() + 1
let busyEnds = 0
const busy = await besides(
  attack(() => (performance.now() < busyEnds ? BUSY : null), 1),
  () => {
    busyEnds = performance.now() + PHASE_MS
  },
)
outcomes.clear()
const random = new Random(Number(options.seed))
let sent = 0
const began = performance.now()
const hostile = await besides(attack(() => (sent < PROGRAMS ? hostileProgram(sent++, random) : null), PATIENT_SHARE))

report.figure('Hostile programs', sent)
report.figure('Programs a second', Math.round(sent / ((performance.now() - began) / 1000)))
for (const [outcome, count] of [...outcomes].toSorted((one, other) => other[1] - one[1]))
  report.figure(`  ${outcome}`, count)
for (const [name, phase] of Object.entries({
  'on a quiet server': quiet,
  'beside busy programs': busy,
  'beside hostile programs': hostile,
}))
  for (const [what, latencies] of Object.entries(phase))
    report.figure(
      `${what} ${name}`,
      `p50 ${quantile(latencies, 0.5)} ms, p99 ${quantile(latencies, 0.99)} ms of ${latencies.length}`,
    )
report.figure(
  'Memory of the server',
  `${Math.round(statusOf('VmRSS') / 1024)} MB, at most ${Math.round(statusOf('VmHWM') / 1024)} MB`,
)

await report.check('The server is still the same process', () => {
  if (server.child.exitCode !== null || server.child.signalCode !== null) throw new Error(server.printed().slice(-4000))
})
await report.check('Every program ended with a result or an error of its own', () => {
  if (unexpected.length > 0) throw new Error(`${unexpected.length}: ${unexpected.slice(0, 5).join('\n')}`)
})
await report.check('The next program has a clean interpreter', async () => {
  for (const token of [neighbor, ...attackers]) {
    const { result } = await server.tool(
      'code_execute',
      '[1 + 1, "a".size, [nil].to_s, get("/products")["data"].size]',
      token,
    )
    if (JSON.stringify(result) !== '[2,1,"[nil]",3]') throw new Error(JSON.stringify(result))
  }
})
await report.check('No worker is left behind', async () => {
  for (let tries = 0; tries < 90 && threadCount() > threads; tries++) await delay(1000)
  if (threadCount() > threads) throw new Error(`${threadCount()} threads, before ${threads}`)
})
// Programs of others are only a figure, because they wait for a worker while programs run to their deadline.
await report.check('Requests of others take at most twice as long as beside busy programs (p99)', () => {
  const [before, after] = [quantile(busy.Requests, 0.99), quantile(hostile.Requests, 0.99)]
  if (after > 2 * before) throw new Error(`${after} ms instead of ${before} ms`)
})
await server.stop()
await report.check('npm run verify finds nothing wrong afterwards', async () => {
  const { code, stdout } = await command(['verify'], environment)
  if (code !== 0) throw new Error(stdout)
})
await rm(directory, { recursive: true, force: true })
report.end()

/** Measures the latencies of the neighbor's requests and programs until `load` has ended, in milliseconds. */
async function besides(load: Promise<unknown>, begin?: () => void): Promise<Record<'Requests' | 'Programs', number[]>> {
  begin?.()
  const found = { Requests: [] as number[], Programs: [] as number[] }
  let over = false
  const ended = load.finally(() => {
    over = true
  })
  const repeat = async (latencies: number[], act: () => Promise<unknown>) => {
    while (!over) {
      const start = performance.now()
      await act()
      latencies.push(performance.now() - start)
      await delay(NEIGHBOR_PAUSE_MS)
    }
  }
  await Promise.all([
    ended,
    repeat(found.Requests, () => expectOk(request(server.url, neighbor, 'GET', '/products?limit=3'))),
    repeat(found.Programs, () => server.tool('code_execute', 'get("/products", limit: 1)["data"].size', neighbor)),
  ])
  return found
}

async function expectOk(answer: Promise<{ status: number; text: string }>): Promise<void> {
  const { status, text } = await answer
  if (status !== 200) throw new Error(`A neighbor's request got ${status}: ${text}`)
}

/** Runs programs over several connections until `next` returns null. */
async function attack(next: () => Hostile | null, patientShare: number): Promise<void> {
  // Starts with the next turn, so that the measuring has begun.
  await delay(0)
  const chance = new Random(Number(options.seed) + 1)
  await Promise.all(
    Array.from({ length: ATTACKERS }, async (_, index) => {
      for (let program = next(); program; program = next()) {
        const patience = chance.chance(patientShare) ? undefined : 1 + chance.below(MOST_PATIENCE_MS)
        await run(program, attackers[index % ACCOUNTS]!, patience)
      }
    }),
  )
}

async function run(program: Hostile, token: string, patienceMs: number | undefined): Promise<void> {
  const outcome = await send(program, token, patienceMs)
  outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
}

async function send({ kind, code }: Hostile, token: string, patienceMs: number | undefined): Promise<string> {
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: kind, arguments: { code } } }
  try {
    const response = await fetch(`${server.url}/mcp`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
      ...(patienceMs !== undefined && { signal: AbortSignal.timeout(patienceMs) }),
    })
    const text = await response.text()
    if (REFUSED_STATUS.includes(response.status)) return `status ${response.status}`
    const answer = JSON.parse(text).result?.structuredContent
    const type = answer?.error?.type ?? (answer && 'result' in answer ? 'result' : undefined)
    if (type === undefined || type === 'internal_error') throw new Error(text.slice(0, 500))
    return type
  } catch (error) {
    if (error instanceof DOMException && error.name === 'TimeoutError') return 'abandoned'
    unexpected.push(`${String(error)}\n${code.slice(0, 500)}`)
    return 'unexpected'
  }
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other)
  return Math.round((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0) * 10) / 10
}

/** Returns a number of the server's process in kB, or its number of threads. */
function statusOf(name: string): number {
  return Number(new RegExp(`${name}:\\s+(\\d+)`).exec(readFileSync(`/proc/${server.child.pid}/status`, 'utf8'))![1])
}

function threadCount(): number {
  return statusOf('Threads')
}
