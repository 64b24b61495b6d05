import { readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { withDatabase } from '../src/cli/with-database.ts'
import { requestAdvance, requestState } from '../src/clock/requests.ts'
import { laterBy } from '../src/contract/values/values.ts'
import type { Database } from '../src/database/database.ts'
import { openAccount } from '../src/resources/company/account/life/open.ts'
import type { Tables } from '../src/resources/tables.ts'
import { readSettings } from '../src/settings/config.ts'
import { type Acknowledged, Buyers, type Wares } from '../test/process/sales/buyers.ts'
import { request } from '../test/support/request.ts'
import { printTable, type Row } from './measure.ts'
import { dataDirectory, SECRET, startShopwright } from './servers.ts'

/** The minutes for which the memory of a server that sells is measured. */
const MINUTES = Number(process.env.SOAK_MINUTES ?? 5)
/** The share of the time at the start that is not measured, because code is compiled and caches fill. */
const WARM_UP = 0.3
const SAMPLE_MS = 1_000
const BUYERS = 3
/** The pause between two sales. The server can easily sustain this pace, so a full queue does not affect the result. */
const PAUSE_MS = 50
/** How often the clock of the test account advances by a day, so that renewals are always in progress. */
const CLOCK_MS = 5_000
const MOST_MB_PER_MINUTE = 1

const { directory, remove } = await dataDirectory()
const settings = { CHECKOUT_POSTS_PER_MINUTE: '100000000', NODE_ENV: 'production' }
const server = await startShopwright(directory, settings)
const url = `http://127.0.0.1:${server.port}`
const within = <Result>(work: (database: Database<Tables>) => Promise<Result>) =>
  withDatabase(readSettings({ DATA_DIR: directory, SECRET_KEY: SECRET }), work)
const owner = { name: 'Ada', email: 'ada@example.com' }
const account = (await within((database) =>
  openAccount(database, SECRET, { name: 'Soak', subdomain: 'soak', owner, test: true }),
))!

const api = (method: string, path: string, body?: unknown, options?: object) =>
  request(url, account.token, method, path, body, options)
const seen: Acknowledged = { checkouts: new Set(), paid: new Set(), refunds: new Map(), keys: new Map() }
const buyers = new Buyers({ url, api }, account.token, { wares: await stock(), seen })

let over = false
const acts = [() => buyers.buy(), () => buyers.refund(), () => buyers.subscribe()]
const crowd = Array.from({ length: BUYERS }, (_, n) => repeat(acts[n % acts.length]!, PAUSE_MS))
const clock = repeat(moveClock, CLOCK_MS)
const samples = await measure()
over = true
await Promise.all([...crowd, clock])
await report(samples)
await server.stop()
await remove()

async function stock(): Promise<Wares> {
  const post = async (path: string, body: object) => (await api('POST', path, body)).body
  const product = await post('/products', { name: 'Tea', status: 'active' })
  const goods = await post('/price_variants', { product_id: product.id, amount: 700, quantity_available: 10_000_000 })
  const recurring = { billing_type: 'subscription', recurring_interval: 'month' }
  const club = await post('/price_variants', { product_id: product.id, amount: 1500, ...recurring })
  const { code } = await post('/discounts', { code: 'TEA', discount_type: 'percent_off', percent_off: 10 })
  return { goods: goods.id, club: club.id, code }
}

async function repeat(act: () => Promise<void>, pauseMs: number): Promise<void> {
  while (!over) {
    await act()
    await delay(pauseMs)
  }
}

function moveClock(): Promise<void> {
  return within(async (database) => {
    const { state, shown } = await requestState(database, account.accountId)
    if (state === 'ended') await requestAdvance(database, account.accountId, laterBy(shown, 24 * 60 * 60 * 1000))
  })
}

interface Sample {
  minute: number
  mb: number
}

async function measure(): Promise<Sample[]> {
  const taken: Sample[] = []
  const startedAt = performance.now()
  for (let minute = 0; minute < MINUTES; ) {
    await delay(SAMPLE_MS)
    minute = (performance.now() - startedAt) / 60_000
    if (minute < MINUTES) taken.push({ minute, mb: await residentMb() })
  }
  return taken
}

async function residentMb(): Promise<number> {
  const status = await readFile(`/proc/${server.pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)![1]) / 1024
}

/** Returns the minimum of each whole minute, which is the memory without garbage. */
function leastOf(taken: Sample[]): Sample[] {
  const perMinute = Map.groupBy(taken, ({ minute }) => Math.floor(minute))
  return [...perMinute].map(([minute, of]) => ({ minute, mb: Math.min(...of.map(({ mb }) => mb)) }))
}

/** Returns the slope of the regression line through the samples, in megabytes per minute. */
function slopeOf(taken: Sample[]): number {
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const [minute, mb] = [mean(taken.map((one) => one.minute)), mean(taken.map((one) => one.mb))]
  const rise = taken.reduce((sum, one) => sum + (one.minute - minute) * (one.mb - mb), 0)
  return rise / taken.reduce((sum, one) => sum + (one.minute - minute) ** 2, 0)
}

async function report(taken: Sample[]): Promise<void> {
  const warm = taken.filter(({ minute }) => minute >= MINUTES * WARM_UP)
  const perMinute = Map.groupBy(taken, ({ minute }) => Math.floor(minute))
  const rows: Row[] = [...perMinute].map(([minute, of]) => ({
    name: `minute ${minute + 1}`,
    value: Math.min(...of.map(({ mb }) => mb)),
    unit: 'MB',
    note: `at least; at most ${Math.max(...of.map(({ mb }) => mb)).toFixed(0)} MB`,
  }))
  const count = (table: 'orders' | 'refunds' | 'subscriptions') =>
    within(async ({ read }) =>
      Number(
        (await read
          .selectFrom(table)
          .select(({ fn }) => fn.countAll<number>().as('n'))
          .executeTakeFirst())!.n,
      ),
    )
  rows.push({
    name: 'growth after warming up',
    value: slopeOf(leastOf(warm)),
    unit: 'MB',
    note: `a minute; at most ${MOST_MB_PER_MINUTE}`,
  })
  for (const table of ['orders', 'refunds', 'subscriptions'] as const)
    rows.push({ name: table, value: await count(table), unit: '' })
  printTable(`Resident memory of a server that sells for ${MINUTES} minutes`, rows)
}
