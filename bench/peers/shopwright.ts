import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { formRequest, httpRequest, openConnection, pageRequest, type Send } from '../load.ts'
import { ROOT, startShopwright, TOKEN } from '../servers.ts'
import { check, DESCRIPTION, json, LISTED, newEmail, newName, PRICE, PRODUCTS, type Shop, STOCK } from './shop.ts'

const VERSION: string = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).version
const CARD = '4242424242424242'

interface Product {
  id: string
  price_variants: { id: string; amount: number }[]
}

/** Starts Shopwright with a test account, whose checkout page accepts test cards. */
export async function startOurs(directory: string, url?: string): Promise<Shop> {
  const server = await startShopwright(directory, {
    ...(url && { DATABASE_URL: url }),
    CHECKOUT_POSTS_PER_MINUTE: '100000000',
    DEMO_DATA: 'none',
  })
  const { send, close } = await openConnection(server.port)
  let id = ''
  for (let count = 0; count < PRODUCTS; count++) id = await createProduct(send)
  const { price_variants: prices } = await api<Product>(send, 'GET', `/products/${id}`)
  await close()
  const engine = url ? 'PostgreSQL' : 'SQLite'
  return {
    name: `Shopwright ${VERSION}, ${engine}`,
    engine,
    settings:
      'its defaults, limits of requests lifted; an order is opened over the API, and looked at and paid on its page',
    port: server.port,
    pids: [server.pid],
    url,
    lines: {
      'get a product': async (send) => check(isPriced(await api<Product>(send, 'GET', `/products/${id}`)), id),
      'list 20 products': async (send) => {
        const { data } = await api<{ data: Product[] }>(send, 'GET', `/products?limit=${LISTED}`)
        check(data.length === LISTED && data.every(isPriced), data)
      },
      'create a product with a price': createProduct,
      'paid order': (send) => buy(send, prices[0]!.id),
    },
    isPaid: async (send, checkout) => {
      const { order } = await api<{ order: string }>(send, 'GET', `/checkouts/${checkout}`)
      return (await api<{ status: string }>(send, 'GET', `/orders/${order}`)).status === 'succeeded'
    },
    stop: server.stop,
  }
}

const isPriced = ({ price_variants: [price] }: Product) => price?.amount === PRICE

async function createProduct(send: Send): Promise<string> {
  const body = { name: newName(), description: DESCRIPTION, status: 'active' }
  const { id } = await api<Product>(send, 'POST', '/products', body)
  const price = { product_id: id, amount: PRICE, quantity_available: STOCK }
  check((await api<{ product: string }>(send, 'POST', '/price_variants', price)).product === id, id)
  return id
}

async function buy(send: Send, price: string): Promise<string> {
  const body = { line_items: [{ price_variant: price, quantity: 1 }], email: newEmail() }
  const checkout = await api<{ id: string; url: string }>(send, 'POST', '/checkouts', body)
  const page = await send(pageRequest(new URL(checkout.url).pathname))
  const [, address, agreed] =
    /action="([^"]+)">\n<input type="hidden" name="agreed" value="([^"]+)"/.exec(page.body) ?? []
  check(address && agreed, page)
  const path = new URL(address, 'http://127.0.0.1').pathname
  const paid = await send(formRequest(path, { do: 'pay', agreed, card: CARD }))
  check(paid.status === 303, paid)
  return checkout.id
}

const api = <Body>(send: Send, method: string, path: string, body?: object) =>
  json<Body>(send(httpRequest(method, `/v1${path}`, TOKEN, body)))
