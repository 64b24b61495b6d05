import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { makeAccounts } from './accounts.ts'
import { type Engine, onEachEngine } from './engines.ts'
import { floorOf, shownFloor, storedAgain } from './floor.ts'
import { httpRequest } from './load.ts'
import { percentile } from './measure.ts'
import { ATTACKS, type Attack } from './peers/attacks.ts'
import { type Server, startShopwright } from './servers.ts'

/** Measures how much each attack by one account slows down another account. The arguments select attacks by the start of their names. */
const LIMITS = { RATE_LIMIT_PER_MINUTE: '600', RATE_LIMIT_BURST: '100' }
const ATTACKERS_TOKENS = 3
/** The innocent account has many tokens, so that its own rate limits have no effect. */
const INNOCENT_TOKENS = 40
const MEASURED_MS = 6_000
const SETTLING_MS = 1_000
const PAUSE_MS = 10
/** The maximum values with which an attack passes the benchmark. */
const MOST = { ratio: 3, heldMs: 1_300, programMs: 300 }

const PROGRAM = {
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'code_execute', arguments: { code: 'get("/products", limit: 1)["data"].size' } },
}

let server: Server
let attackers = new Map<string, string[]>()
let innocents: string[] = []
await onEachEngine(measureEngine)

async function measureEngine({ name, directory, settings }: Engine): Promise<void> {
  console.log(`\n${name}`)
  await makeAll(directory, settings.DATABASE_URL)
  server = await startShopwright(directory, { ...settings, ...LIMITS })
  try {
    await measure(SETTLING_MS)
    console.log('p50 / p99 in ms without the attack → with it; programs refused')
    for (const attack of ATTACKS.filter(({ name }) => matches(name))) await report(attack)
  } finally {
    await server.stop()
  }
  if (settings.DATABASE_URL !== undefined) await floors(settings.DATABASE_URL, directory)
}

/** Measures the rows of the innocent account's requests on PostgreSQL alone, one after another. */
async function floors(url: string, directory: string): Promise<void> {
  const options = { directory, seconds: 3, clients: 1 }
  const newest =
    'select * from products where account_id = (select max(account_id) from accounts) order by id desc limit 2'
  const read = await floorOf(url, options, async () => [newest])
  const written = ['tags', 'search_entries', 'events', 'log_entries']
  const write = await floorOf(url, options, (client) => storedAgain(client, written, 'tags'))
  console.log(`\nfloor of a read: ${shownFloor(read)}\nfloor of a write: ${shownFloor(write)}`)
}

function matches(name: string): boolean {
  const wanted = process.argv.slice(2)
  return wanted.length === 0 || wanted.some((beginning) => name.startsWith(beginning))
}

/** Each attack has its own account, because it uses up the account's rate limit. */
async function makeAll(directory: string, databaseUrl: string | undefined): Promise<void> {
  const names = new Map(ATTACKS.map(({ name }, index) => [name, `attacker-${index}`]))
  const wanted = [...names.values()].map((name) => ({ name, tokens: ATTACKERS_TOKENS }))
  const tokens = await makeAccounts({ directory, databaseUrl }, [
    ...wanted,
    { name: 'innocent', tokens: INNOCENT_TOKENS },
  ])
  attackers = new Map([...names].map(([attack, name]) => [attack, tokens.get(name)!]))
  innocents = tokens.get('innocent')!
}

interface Measured {
  reads: number[]
  writes: number[]
  programs: number[]
  refused: number
}

async function report(attack: Attack): Promise<void> {
  const tokens = attackers.get(attack.name)!
  for (const request of attack.prepare?.(tokens[0]!) ?? []) await send(request)
  const quiet = await measure(MEASURED_MS)
  const attacker = await startAttacker(attack, tokens)
  await delay(SETTLING_MS)
  const attacked = await measure(MEASURED_MS).finally(() => attacker.kill('SIGKILL'))
  console.log(`\n${attack.name}`)
  for (const kind of ['reads', 'writes', 'programs'] as const) console.log(line(kind, attack, quiet, attacked))
  await delay(6_000) // Waits until the programs of the attack have ended.
}

function line(kind: 'reads' | 'writes' | 'programs', attack: Attack, quiet: Measured, attacked: Measured): string {
  const [before, after] = [quiet[kind], attacked[kind]].map((samples) => ({
    p50: percentile(samples, 0.5),
    p99: percentile(samples, 0.99),
  })) as [{ p50: number; p99: number }, { p50: number; p99: number }]
  const ratio = after.p99 / before.p99
  const held = attack.holdsWriter && kind !== 'reads' && after.p99 <= MOST.heldMs
  const reached = ratio <= MOST.ratio || held || (kind === 'programs' && after.p99 <= MOST.programMs)
  const refused = kind === 'programs' ? `  ${attacked.refused} refused of ${attacked.programs.length}` : ''
  const figures = [before, after].map(({ p50, p99 }) => `${p50.toFixed(2)} / ${p99.toFixed(2)}`).join(' → ')
  return `  ${kind.padEnd(8)} ${figures}  (${ratio.toFixed(1)}×)${reached && attacked.refused === 0 ? '' : '  MISSED'}${refused}`
}

/** Measures the innocent account's requests, one after another for each kind. */
async function measure(durationMs: number): Promise<Measured> {
  const until = performance.now() + durationMs
  let [number, refused] = [0, 0]
  const next = () => innocents[number++ % innocents.length]!
  const repeat = async (request: () => string, heard: (text: string) => void = () => {}) => {
    const samples: number[] = []
    while (performance.now() < until) {
      const bytes = request()
      const began = performance.now()
      const text = await send(bytes)
      samples.push(performance.now() - began)
      heard(text)
      await delay(PAUSE_MS)
    }
    return samples
  }
  const [reads, writes, programs] = await Promise.all([
    repeat(() => httpRequest('GET', '/v1/products?limit=1', next())),
    repeat(() => httpRequest('POST', '/v1/tags', next(), { name: `tag ${number} ${Math.random()}` })),
    repeat(
      () => httpRequest('POST', '/mcp', next(), PROGRAM),
      (text) => {
        if (!text.includes('"result":0}')) refused += 1
      },
    ),
  ])
  return { reads, writes, programs, refused }
}

async function send(bytes: string): Promise<string> {
  const end = bytes.indexOf('\r\n\r\n')
  const [start, ...headers] = bytes.slice(0, end).split('\r\n') as [string, ...string[]]
  const [method, path] = start.split(' ') as [string, string]
  const given = headers.map((header) => header.split(': ') as [string, string])
  const body = bytes.slice(end + 4)
  const response = await fetch(`http://127.0.0.1:${server.port}${path}`, {
    method,
    headers: given.filter(([name]) => !['Host', 'Content-Length'].includes(name)),
    ...(body !== '' && { body }),
  })
  return response.text()
}

function startAttacker({ name }: Attack, tokens: string[]) {
  const script = join(fileURLToPath(new URL('peers', import.meta.url)), 'attacker.ts')
  const perSecond = String(Number(LIMITS.RATE_LIMIT_PER_MINUTE) / 60)
  const args = [script, String(server.port), name, LIMITS.RATE_LIMIT_BURST, perSecond, ...tokens]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  return new Promise<typeof child>((resolve) => child.stdout.once('data', () => resolve(child)))
}
