import { type Engine, onEachEngine } from './engines.ts'
import { formRequest, httpRequest, type LoadResult, load } from './load.ts'
import { type Server, startShopwright, TOKEN } from './servers.ts'

/**
 * Checkouts that are opened over the API, looked at and paid on their page with a test card, one after the other on each connection. The peer is
 * the creation of products in the same run: one write over the API, where an order is three requests and some twenty writes.
 */
const CONNECTIONS = 32
const WARM_UP_MS = 3_000
const ROUND_MS = 6_000
const ROUNDS = Number(process.env.ROUNDS ?? 3)
const TARGET = 600
const STOCK = 2_000_000_000

const PAID = 303

await onEachEngine(measureEngine)

async function measureEngine({ name, directory, settings }: Engine): Promise<void> {
  console.log(`\n${name}`)
  const unlimited = { CHECKOUT_POSTS_PER_MINUTE: '100000000' }
  const server = await startShopwright(directory, { ...settings, ...unlimited, DEMO_DATA: 'none' })
  const price = await priceForSale(server)
  const run = (request: (previous: string) => string, durationMs: number) =>
    load({ port: server.port, request, connections: CONNECTIONS, durationMs })
  await run(purchase(price.id), WARM_UP_MS)
  await run(newProduct, WARM_UP_MS)
  for (let round = 0; round < ROUNDS; round++) {
    const before = await stockOf(server, price.id)
    const began = performance.now()
    const sales = await run(purchase(price.id), ROUND_MS)
    const seconds = (performance.now() - began) / 1000
    const sold = before - (await stockOf(server, price.id))
    const products = await run(newProduct, ROUND_MS / 3)
    show(sold / seconds, sold, sales, products)
  }
  await server.stop()
}

/** Opens a checkout, looks at its page, and pays what the page shows, as a buyer does. */
function purchase(price: string): (previous: string) => string {
  let buyers = 0
  return (previous) => {
    if (previous.startsWith('{')) return httpRequest('GET', new URL(JSON.parse(previous).url).pathname, TOKEN)
    const [, address, agreed] =
      /action="([^"]+)">\n<input type="hidden" name="agreed" value="([^"]+)"/.exec(previous) ?? []
    if (address !== undefined && agreed !== undefined)
      return formRequest(new URL(address, 'http://127.0.0.1').pathname, { do: 'pay', agreed, card: '4242424242424242' })
    const body = { line_items: [{ price_variant: price, quantity: 1 }], email: `buyer-${++buyers}@example.com` }
    return httpRequest('POST', '/v1/checkouts', TOKEN, body)
  }
}

function newProduct(): string {
  return httpRequest('POST', '/v1/products', TOKEN, { name: `Guide ${process.hrtime.bigint()}` })
}

function show(perSecond: number, sold: number, sales: LoadResult, products: LoadResult): void {
  const { statuses, p99Ms } = sales
  if (sold !== statuses[PAID]) console.log(`  ${sold} were sold, but ${statuses[PAID]} pages said so`)
  console.log(
    `orders ${Math.round(perSecond)}/s (target ${TARGET})  request p99 ${p99Ms.toFixed(1)} ms  ${JSON.stringify(statuses)}  ` +
      `against products ${Math.round(products.perSecond)}/s: ratio ${(perSecond / products.perSecond).toFixed(2)}`,
  )
}

async function priceForSale(server: Server): Promise<{ id: string }> {
  const product = await api(server, 'POST', '/products', { name: 'Field Guide', status: 'active' })
  return api(server, 'POST', '/price_variants', { product_id: product.id, amount: 1800, quantity_available: STOCK })
}

async function stockOf(server: Server, id: string): Promise<number> {
  return (await api(server, 'GET', `/price_variants/${id}`)).quantity_available as number
}

async function api(server: Server, method: string, path: string, body?: object) {
  const response = await fetch(`http://127.0.0.1:${server.port}/v1${path}`, {
    method,
    headers: { Authorization: `Bearer ${TOKEN}`, 'Content-Type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(await response.text())
  return (await response.json()) as Record<string, unknown> & { id: string }
}
