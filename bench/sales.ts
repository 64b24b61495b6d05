import { openDatabase } from '../src/database/open.ts'
import { allMigrations } from '../src/migrations.ts'
import { createAccount } from '../src/resources/company/account/life/open.ts'
import { createToken } from '../src/resources/dashboard/api-token/issue.ts'
import type { Tables } from '../src/resources/tables.ts'
import { type Engine, onEachEngine } from './engines.ts'
import { rowsOfOrders } from './floor.ts'
import { formRequest, httpRequest, type LoadResult, load, pageRequest } from './load.ts'
import { median } from './measure.ts'
import { backendsOf, processorMs } from './processor.ts'
import { SECRET, type Server, startShopwright, TOKEN } from './servers.ts'

/**
 * Measures sales: each connection creates a checkout over the API, opens its page and pays with a test card. For comparison, measures the
 * creation of products, and how often `pgbench` stores the rows of an order on PostgreSQL. The processor time depends least on other load.
 */
const CONNECTIONS = 32
/** V8 has compiled the code of a sale after some thousand sales. */
const WARM_UP_MS = 20_000
const ROUND_MS = 6_000
const ROUNDS = Number(process.env.ROUNDS ?? 3)
const ACCOUNTS = 10
const TARGETS = { 'embedded database': [1_500, 1_500], PostgreSQL: [400, 600] }
const STOCK = 2_000_000_000

const PAID = 303

/** Each buyer is a new customer, in later rounds, too. */
let buyers = 0

interface Seller {
  token: string
  price: string
}

await onEachEngine(measureEngine)

async function measureEngine({ name, directory, settings }: Engine): Promise<void> {
  console.log(`\n${name}`)
  const unlimited = { CHECKOUT_POSTS_PER_MINUTE: '100000000' }
  // The first start creates the first account. The other accounts are created while no server runs.
  const start = () => startShopwright(directory, { ...settings, ...unlimited, DEMO_DATA: 'none' })
  await (await start()).stop()
  const tokens = [TOKEN, ...(await moreAccounts(directory, settings.DATABASE_URL))]
  const server = await start()
  const sellers = await Promise.all(tokens.map((token) => sellerOf(server, token)))
  for (const [index, some] of [sellers.slice(0, 1), sellers].entries())
    await measureSales(server, some, { target: TARGETS[name][index]!, url: settings.DATABASE_URL })
  await server.stop()
  if (settings.DATABASE_URL === undefined) return
  const perSecond = await rowsOfOrders(settings.DATABASE_URL, { directory, seconds: ROUND_MS / 1000 })
  const floor = perSecond === null ? 'ABSENT, so it is SKIPPED' : `${Math.round(perSecond)} orders/s`
  console.log(`the rows alone, by pgbench, one account: ${floor}`)
}

interface SalesTarget {
  target: number
  url: string | undefined
}

async function measureSales(server: Server, sellers: Seller[], { target, url }: SalesTarget): Promise<void> {
  const run = (request: (previous: string) => string, durationMs: number) =>
    load({ port: server.port, request, connections: CONNECTIONS, durationMs })
  await run(purchase(sellers), WARM_UP_MS)
  await run(newProduct, WARM_UP_MS / 10)
  const speeds: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const pids = [[server.pid], url === undefined ? [] : await backendsOf(url)] as const
    const before = await soldBy(server, sellers)
    const [began, taken] = [performance.now(), pids.map(processorMs)]
    const sales = await run(purchase(sellers), ROUND_MS)
    const seconds = (performance.now() - began) / 1000
    const processor = pids.map((some, index) => processorMs(some) - taken[index]!)
    const sold = (await soldBy(server, sellers)) - before
    const products = await run(newProduct, ROUND_MS / 3)
    speeds.push(sold / seconds)
    show({ sellers, sold, seconds, sales, products, processor })
  }
  console.log(`  median of ${ROUNDS}: ${Math.round(median(speeds))} orders/s (target ${target})`)
}

async function moreAccounts(directory: string, databaseUrl: string | undefined): Promise<string[]> {
  const database = await openDatabase<Tables>({ databaseUrl, directory, migrations: await allMigrations() })
  const tokens: string[] = []
  for (let count = 1; count < ACCOUNTS; count++) {
    const name = `seller-${count}`
    const owner = await createAccount(database, {
      name,
      subdomain: name,
      owner: { name, email: `${name}@example.com` },
    })
    tokens.push((await createToken(database, SECRET, owner, { name })).value)
  }
  await database.close()
  return tokens
}

/** Returns a function that makes the requests of a buyer: create a checkout, open its page, and pay the amount on the page. */
function purchase(sellers: Seller[]): (previous: string) => string {
  return (previous) => {
    if (previous.startsWith('{')) return pageRequest(new URL(JSON.parse(previous).url).pathname)
    const [, address, agreed] =
      /action="([^"]+)">\n<input type="hidden" name="agreed" value="([^"]+)"/.exec(previous) ?? []
    if (address !== undefined && agreed !== undefined)
      return formRequest(new URL(address, 'http://127.0.0.1').pathname, { do: 'pay', agreed, card: '4242424242424242' })
    const { price, token } = sellers[++buyers % sellers.length]!
    const body = { line_items: [{ price_variant: price, quantity: 1 }], email: `buyer-${buyers}@example.com` }
    return httpRequest('POST', '/v1/checkouts', token, body)
  }
}

function newProduct(): string {
  return httpRequest('POST', '/v1/products', TOKEN, { name: `Guide ${process.hrtime.bigint()}` })
}

interface SalesResult {
  sellers: Seller[]
  sold: number
  seconds: number
  sales: LoadResult
  products: LoadResult
  /** The processor milliseconds of the server and of PostgreSQL. */
  processor: number[]
}

function show({ sellers, sold, seconds, sales, products, processor }: SalesResult): void {
  const { statuses, p99Ms } = sales
  if (sold !== statuses[PAID]) console.log(`  ${sold} were sold, but ${statuses[PAID]} pages said so`)
  const [server, database] = processor.map((ms) => (ms / sold).toFixed(2))
  console.log(
    `  ${sellers.length === 1 ? 'one account' : `${sellers.length} accounts`}: ${Math.round(sold / seconds)} orders/s  ` +
      `processor ${server} + ${database} ms an order  request p99 ${p99Ms.toFixed(1)} ms  ${JSON.stringify(statuses)}  ` +
      `against products ${Math.round(products.perSecond)}/s`,
  )
}

async function sellerOf(server: Server, token: string): Promise<Seller> {
  const product = await api(server, token, 'POST', '/products', { name: 'Field Guide', status: 'active' })
  const price = { product_id: product.id, amount: 1800, quantity_available: STOCK }
  return { token, price: (await api(server, token, 'POST', '/price_variants', price)).id }
}

async function soldBy(server: Server, sellers: Seller[]): Promise<number> {
  const prices = await Promise.all(
    sellers.map(({ token, price }) => api(server, token, 'GET', `/price_variants/${price}`)),
  )
  return prices.reduce((sum, price) => sum + STOCK - Number(price.quantity_available), 0)
}

async function api(server: Server, token: string, method: string, path: string, body?: object) {
  const response = await fetch(`http://127.0.0.1:${server.port}/v1${path}`, {
    method,
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(await response.text())
  return (await response.json()) as Record<string, unknown> & { id: string }
}
