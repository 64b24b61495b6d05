import { setTimeout as sleep } from 'node:timers/promises'
import { freshPostgres, NO_POSTGRES } from './engines.ts'
import { withClient } from './floor.ts'
import { openConnection } from './load.ts'
import { median } from './measure.ts'
import { HAS_MEDUSA, startMedusa } from './peers/medusa.ts'
import { LINES, type Line, PRODUCTS, type Shop } from './peers/shop.ts'
import { startOurs } from './peers/shopwright.ts'
import { HAS_VENDURE, startVendure } from './peers/vendure.ts'
import { backendsOf, processorMs } from './processor.ts'
import { dataDirectory } from './servers.ts'

/**
 * Compares Shopwright with Vendure and Medusa, if `peers/install` has installed them. All run at the same time, and one client queries them
 * in turns, so that a slow moment of the machine affects all.
 */
const CONNECTIONS = 8
/** The warm-up lets V8 compile the code of each operation. */
const WARM_UP_MS = Number(process.env.WARM_UP_MS ?? 10_000)
const TURN_MS = Number(process.env.TURN_MS ?? 4_000)
const ROUNDS = Number(process.env.ROUNDS ?? 5)
/** The time for a product's deferred work before the next product is measured. */
const QUIET_MS = 5_000

interface TurnResult {
  perSecond: number
  medianMs: number
  /** Processor milliseconds per operation, of the product and of PostgreSQL's processes for it. */
  processorMs: number
  requests: number
  failed: number
}

const undo: (() => unknown)[] = []
try {
  const shops = await startAll()
  for (const shop of shops) for (const line of LINES) await takeTurn(shop, line, WARM_UP_MS)
  const turns = new Map(shops.map((shop) => [shop, new Map(LINES.map((line) => [line, [] as TurnResult[]]))]))
  for (let round = 0; round < ROUNDS; round++) {
    const inTurn = [...shops.slice(round % shops.length), ...shops.slice(0, round % shops.length)]
    for (const line of LINES)
      for (const shop of inTurn) {
        const turn = await takeTurn(shop, line, TURN_MS)
        turns.get(shop)!.get(line)!.push(turn)
        console.log(`round ${round + 1}: ${line}, ${shop.name}, ${turn.perSecond.toFixed(1)}/s`)
      }
  }
  if (shops.length > 0)
    for (const line of LINES) show(line, new Map(shops.map((shop) => [shop, turns.get(shop)!.get(line)!])))
} finally {
  for (const step of undo.reverse()) await step()
}

async function startAll(): Promise<Shop[]> {
  const shops: Shop[] = []
  const add = async (start: (directory: string, url?: string) => Promise<Shop>, url?: string) => {
    const { directory, remove } = await dataDirectory()
    undo.push(remove)
    const shop = await start(directory, url)
    undo.push(shop.stop)
    shops.push(shop)
    console.log(`${shop.name}: ${shop.settings}`)
  }
  for (const [name, installed] of [
    ['vendure', HAS_VENDURE],
    ['medusa', HAS_MEDUSA],
  ])
    if (!installed) console.log(`${name}: ABSENT, so it is SKIPPED. Install it with peers/install ${name}.`)
  if (!HAS_VENDURE && !HAS_MEDUSA) return []
  await add(startOurs)
  if (HAS_VENDURE) await add(startVendure)
  const url = await freshPostgres(undo)
  if (url === null) console.log(NO_POSTGRES)
  else {
    await add(startOurs, url)
    if (HAS_VENDURE) await add(startVendure, (await freshPostgres(undo))!)
    if (HAS_MEDUSA) await add(startMedusa, (await freshPostgres(undo))!)
  }
  const postgres =
    url && (await withClient(url, (client) => client.query('show server_version'))).rows[0].server_version
  console.log(
    `Node.js ${process.versions.node} for all, PostgreSQL ${postgres ?? 'absent'}; ${PRODUCTS} products with a price and stock at first; ` +
      `${CONNECTIONS} connections; medians of ${ROUNDS} rounds of ${TURN_MS / 1000} s, with the least and the most`,
  )
  return shops
}

/** Repeats one operation of a product on all connections. Checks that the last order is paid. */
async function takeTurn(shop: Shop, line: Line, durationMs: number): Promise<TurnResult> {
  const before = await processorOf(shop)
  const tookMs: number[] = []
  const failures: unknown[] = []
  let requests = 0
  let last: unknown
  const began = performance.now()
  const converse = async () => {
    const { send, close } = await openConnection(shop.port)
    const counted = (request: string) => {
      requests++
      return send(request)
    }
    while (performance.now() < began + durationMs) {
      const sentAt = performance.now()
      try {
        last = await shop.lines[line](counted)
        tookMs.push(performance.now() - sentAt)
      } catch (failure) {
        failures.push(failure)
      }
    }
    await close()
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, converse))
  const seconds = (performance.now() - began) / 1000
  if (failures.length >= tookMs.length) throw failures[0]
  if (line === 'paid order') await lookUp(shop, last)
  const done = tookMs.length
  return {
    perSecond: done / seconds,
    medianMs: median(tookMs),
    processorMs: (await untilQuiet(shop, before)) / done,
    requests: requests / (done + failures.length),
    failed: failures.length,
  }
}

async function lookUp(shop: Shop, order: unknown): Promise<void> {
  const { send, close } = await openConnection(shop.port)
  if (!(await shop.isPaid(send, order))) throw new Error(`${shop.name}: order ${order} is not paid`)
  await close()
}

async function processorOf({ pids, url }: Shop): Promise<Map<number, number>> {
  const all = [...pids, ...(url === undefined ? [] : await backendsOf(url))]
  return new Map(all.map((pid) => [pid, processorMs([pid])]))
}

/** Waits until a product has finished its deferred work. Returns the processor milliseconds that it has used since `before`. */
async function untilQuiet(shop: Shop, before: Map<number, number>): Promise<number> {
  const since = async () => {
    const now = [...(await processorOf(shop))]
    return now.reduce((sum, [pid, ms]) => sum + ms - (before.get(pid) ?? 0), 0)
  }
  const limit = performance.now() + QUIET_MS
  let taken = await since()
  for (;;) {
    await sleep(250)
    const now = await since()
    if (now - taken < 50 || performance.now() > limit) return now
    taken = now
  }
}

function show(line: Line, turns: Map<Shop, TurnResult[]>): void {
  console.log(`\n${line}`)
  const ours = new Map([...turns].reverse().map(([{ engine }, all]) => [engine, all]))
  for (const [{ name, engine }, all] of turns) {
    const base = ours.get(engine)!
    const faster = all.map(({ perSecond }, round) => base[round]!.perSecond / perSecond)
    const leaner = all.map(({ processorMs }, round) => processorMs / base[round]!.processorMs)
    const failed = all.reduce((sum, turn) => sum + turn.failed, 0)
    console.log(
      [
        `  ${name.padEnd(26)}`,
        `${Math.round(median(all.map(({ requests }) => requests)))} requests`,
        `${spread(all.map(({ perSecond }) => perSecond))}/s`,
        `median ${spread(all.map(({ medianMs }) => medianMs))} ms`,
        `processor ${spread(all.map(({ processorMs }) => processorMs))} ms`,
        ...(base === all ? [] : [`Shopwright ${spread(faster)} times as many, processor 1/${spread(leaner)}`]),
        ...(failed === 0 ? [] : [`${failed} failed`]),
      ].join('  '),
    )
  }
}

function spread(values: number[]): string {
  const shown = (value: number) =>
    value.toPrecision(value < 100 ? 2 : 3).replace(/^(\d+)\.?\d*e\+\d$/, () => String(Math.round(value)))
  return `${shown(median(values))} (${shown(Math.min(...values))}–${shown(Math.max(...values))})`
}
