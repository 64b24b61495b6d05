import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../../test/support/postgres-server.mjs'
import { openConnection, requestWith, type Send } from '../load.ts'
import { ROOT, runProcess, startProcess } from '../servers.ts'
import { check, DESCRIPTION, json, LISTED, newEmail, newName, PRICE, PRODUCTS, type Shop, STOCK } from './shop.ts'

const MODULES = join(ROOT, 'peers/medusa/node_modules')
const PACKAGE = join(MODULES, '@medusajs/medusa/package.json')
const COMMANDS = join(MODULES, '@medusajs/cli/cli.js')
const BUILT = join(ROOT, 'peers/medusa/.medusa/server')
export const HAS_MEDUSA = existsSync(PACKAGE) && existsSync(BUILT)

const ADMIN = { email: 'admin@example.com', password: 'of-benchmarks' }
const PROVIDER = 'pp_system_default'
/** Medusa uses major units. */
const AMOUNT = PRICE / 100

/** The request headers of each of Medusa's two APIs. */
interface Clients {
  admin: Record<string, string>
  store: Record<string, string>
}

interface Store extends Clients {
  region: string
  channel: string
  location: string
}

interface Product {
  id: string
  variants: { id: string; calculated_price: { calculated_amount: number } }[]
}

/** Starts Medusa on a PostgreSQL database and creates a shop in it. */
export async function startMedusa(_directory: string, url?: string): Promise<Shop> {
  const env = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    NODE_ENV: 'production',
    DATABASE_URL: url,
    JWT_SECRET: ADMIN.password,
    COOKIE_SECRET: ADMIN.password,
    NODE_NO_WARNINGS: '1',
    MEDUSA_DISABLE_TELEMETRY: 'true',
  }
  const run = (...args: string[]) => runProcess([COMMANDS, ...args], env, BUILT)
  await run('db:migrate', '--skip-scripts')
  await run('user', '-e', ADMIN.email, '-p', ADMIN.password)
  const port = await freePort()
  const start = [COMMANDS, 'start', '-H', '127.0.0.1', '-p', String(port)]
  const server = await startProcess(start, env, /Server is ready on port: (\d+)/, BUILT)
  const { send, close } = await openConnection(port)
  const store = await open(send)
  let id = ''
  for (let count = 0; count < PRODUCTS; count++) id = await createProduct(send, store)
  const priced = `region_id=${store.region}&fields=*variants.calculated_price`
  const get = (by: Send, of: string) =>
    api<{ product: Product }>(by, store.store, 'GET', `/store/products/${of}?${priced}`)
  const { product } = await get(send, id)
  await close()
  return {
    name: `Medusa ${JSON.parse(readFileSync(PACKAGE, 'utf8')).version}, PostgreSQL`,
    engine: 'PostgreSQL',
    settings:
      'NODE_ENV=production, built, one process that is server and worker; no Redis, so events, cache, locks and workflows are in its memory; no shipping; ' +
      'its own payment provider only authorizes, so the last two requests of an order look up and capture the payment over the admin API; no e-mail',
    port,
    pids: [server.pid],
    url,
    lines: {
      'get a product': async (send) => {
        const answer = await get(send, id)
        check(isPriced(answer.product), answer)
      },
      'list 20 products': async (send) => {
        const path = `/store/products?limit=${LISTED}&${priced}`
        const { products } = await api<{ products: Product[] }>(send, store.store, 'GET', path)
        check(products.length === LISTED && products.every(isPriced), products)
      },
      'create a product with a price': (send) => createProduct(send, store),
      'paid order': (send) => buy(send, store, product.variants[0]!.id),
    },
    isPaid: async (send, order) => {
      const path = `/admin/orders/${order}?fields=payment_status`
      const answer = await api<{ order: { payment_status: string } }>(send, store.admin, 'GET', path)
      return answer.order.payment_status === 'captured'
    },
    stop: server.stop,
  }
}

const isPriced = ({ variants: [variant] }: Product) => variant?.calculated_price.calculated_amount === AMOUNT

/** Buys a product with the requests of Medusa's storefront guide, and captures the payment. */
async function buy(send: Send, { admin, store, region }: Store, variant: string): Promise<string> {
  const wanted = { region_id: region, email: newEmail(), items: [{ variant_id: variant, quantity: 1 }] }
  const { cart } = await api<{ cart: { id: string; total: number } }>(send, store, 'POST', '/store/carts', wanted)
  check(cart.total === AMOUNT, cart)
  const made = await api<{ payment_collection: { id: string } }>(send, store, 'POST', '/store/payment-collections', {
    cart_id: cart.id,
  })
  const sessions = `/store/payment-collections/${made.payment_collection.id}/payment-sessions`
  await api(send, store, 'POST', sessions, { provider_id: PROVIDER })
  const completed = await api<{ type: string; order: { id: string } }>(
    send,
    store,
    'POST',
    `/store/carts/${cart.id}/complete`,
  )
  check(completed.type === 'order', completed)
  const path = `/admin/orders/${completed.order.id}`
  const { order } = await api<CartPayments>(send, admin, 'GET', `${path}?fields=*payment_collections.payments`)
  const capture = `/admin/payments/${order.payment_collections[0]!.payments[0]!.id}/capture`
  const { payment } = await api<{ payment: { captured_at: string | null } }>(send, admin, 'POST', capture, {})
  check(payment.captured_at !== null, payment)
  return completed.order.id
}

interface CartPayments {
  order: { payment_collections: { payments: { id: string }[] }[] }
}

async function createProduct(send: Send, { admin, channel, location }: Store): Promise<string> {
  const title = newName()
  const sku = title.toLowerCase().replaceAll(' ', '-')
  const stock = { sku, requires_shipping: false, location_levels: [{ location_id: location, stocked_quantity: STOCK }] }
  const item = await api<{ inventory_item: { id: string } }>(send, admin, 'POST', '/admin/inventory-items', stock)
  const { product } = await api<{ product: Product }>(send, admin, 'POST', '/admin/products', {
    title,
    description: DESCRIPTION,
    status: 'published',
    sales_channels: [{ id: channel }],
    options: [{ title: 'Size', values: ['One'] }],
    variants: [
      {
        title: 'One',
        sku,
        options: { Size: 'One' },
        prices: [{ currency_code: 'usd', amount: AMOUNT }],
        manage_inventory: true,
        inventory_items: [{ inventory_item_id: item.inventory_item.id, required_quantity: 1 }],
      },
    ],
  })
  check(product.variants.length === 1, product)
  return product.id
}

/** Creates a region without taxes, a sales channel with a stock location, and an API key for the storefront. */
async function open(send: Send): Promise<Store> {
  const { token } = await api<{ token: string }>(send, {}, 'POST', '/auth/user/emailpass', ADMIN)
  const admin = { Authorization: `Bearer ${token}` }
  const make = async (kind: string, path: string, body: object) =>
    (await api<Record<string, { id: string; token: string }>>(send, admin, 'POST', `/admin/${path}`, body))[kind]!
  const region = await make('region', 'regions', {
    name: 'United States',
    currency_code: 'usd',
    countries: ['us'],
    automatic_taxes: false,
    payment_providers: [PROVIDER],
  })
  const channel = await make('sales_channel', 'sales-channels', { name: 'Web' })
  const location = await make('stock_location', 'stock-locations', { name: 'Store' })
  await make('stock_location', `stock-locations/${location.id}/sales-channels`, { add: [channel.id] })
  const key = await make('api_key', 'api-keys', { title: 'Web', type: 'publishable' })
  await make('api_key', `api-keys/${key.id}/sales-channels`, { add: [channel.id] })
  const store = { 'x-publishable-api-key': key.token }
  return { admin, store, region: region.id, channel: channel.id, location: location.id }
}

const api = <Body>(send: Send, headers: Record<string, string>, method: string, path: string, body?: object) =>
  json<Body>(send(requestWith(headers, method, path, body)))
