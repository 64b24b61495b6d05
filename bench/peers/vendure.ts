import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../test/support/postgres-server.mjs'
import { openConnection, requestWith, type Send } from '../load.ts'
import { ROOT, runProcess, startProcess } from '../servers.ts'
import { check, DESCRIPTION, json, LISTED, newEmail, newName, PRICE, PRODUCTS, type Shop, STOCK } from './shop.ts'

const FOLDER = join(ROOT, 'peers/vendure')
const PACKAGE = join(FOLDER, 'node_modules/@vendure/core/package.json')
export const HAS_VENDURE = existsSync(PACKAGE)
const PASSWORD = 'of-benchmarks'

/** Starts Vendure and its worker on SQLite or on a PostgreSQL database, and creates a shop in it. */
export async function startVendure(directory: string, url?: string): Promise<Shop> {
  const port = await freePort()
  const options = { port, password: PASSWORD, url, file: join(directory, 'vendure.sqlite') }
  const program = (run: string) => [join(FOLDER, 'serve.mjs'), JSON.stringify({ ...options, run })]
  const env = {
    PATH: process.env.PATH,
    NODE_ENV: 'production',
    NODE_NO_WARNINGS: '1',
    VENDURE_DISABLE_TELEMETRY: 'true',
  }
  await runProcess(program('seed'), env)
  const server = await startProcess(program('server'), env, /server on port (\d+)/)
  const workers = url ? [await startProcess(program('worker'), env, /worker on port (\d+)/)] : []
  const { send, close } = await openConnection(port)
  const admin = await signIn(send)
  const product = await fill(send, admin)
  await close()
  const engine = url ? 'PostgreSQL' : 'SQLite'
  return {
    name: `Vendure ${JSON.parse(readFileSync(PACKAGE, 'utf8')).version}, ${engine}`,
    engine,
    settings: `NODE_ENV=production, ${url ? 'a server and a worker' : 'one process that is server and worker, write-ahead log'}, lists by its search index, no shipping, dummyPaymentHandler that settles at once, no e-mail`,
    port,
    pids: [server, ...workers].map(({ pid }) => pid),
    url,
    lines: {
      'get a product': async (send) => {
        const { data } = await shop<{ product: Product }>(send, PRODUCT, { id: product.id })
        check(data.product.variants[0]?.priceWithTax === PRICE, data)
      },
      'list 20 products': async (send) => {
        const { items } = (await shop<SearchResult>(send, LIST, { take: LISTED })).data.search
        check(items.length === LISTED && items.every(({ priceWithTax: { min } }) => min === PRICE), items)
      },
      'create a product with a price': (send) => createProduct(send, admin),
      'paid order': (send) => buy(send, product.variants[0]!.id),
    },
    isPaid: async (send, code) => {
      const { data } = await ask<{ orders: { items: Order[] } }>(send, 'admin-api', admin.token, ORDER, { code })
      const [order] = data.orders.items
      return order?.state === 'PaymentSettled' && order.payments?.[0]?.state === 'Settled'
    },
    stop: () => Promise.all([server, ...workers].map((process) => process.stop())),
  }
}

interface Admin {
  token: string
  taxCategory: string
}

interface Product {
  id: string
  variants: { id: string; priceWithTax: number }[]
}

interface SearchResult {
  search: { totalItems: number; items: { priceWithTax: { min: number } }[] }
}

interface Order {
  code: string
  state: string
  payments?: { state: string }[]
}

const PRODUCT = `query ($id: ID!) { product(id: $id) {
  id createdAt updatedAt name slug description variants { id name sku currencyCode price priceWithTax stockLevel } } }`
const LIST = `query ($take: Int!) { search(input: { groupByProduct: true, take: $take }) { totalItems items {
  productId productName slug description sku currencyCode priceWithTax { ... on PriceRange { min max } } } } }`
const ORDER = `query ($code: String!) { orders(options: { filter: { code: { eq: $code } } }) {
  items { code state payments { state } } } }`
const CREATE = `mutation ($input: CreateProductInput!) { createProduct(input: $input) { id } }`
const CREATE_VARIANT = `mutation ($input: [CreateProductVariantInput!]!) { createProductVariants(input: $input) { id price } }`
const CART = '__typename ... on Order { code state totalWithTax } ... on ErrorResult { message }'
const ADD = `mutation ($id: ID!) { order: addItemToOrder(productVariantId: $id, quantity: 1) { ${CART} } }`
const CUSTOMER = `mutation ($input: CreateCustomerInput!) { order: setCustomerForOrder(input: $input) { ${CART} } }`
const ARRANGE = `mutation { order: transitionOrderToState(state: "ArrangingPayment") { ${CART} } }`
const PAY = `mutation ($input: PaymentInput!) { order: addPaymentToOrder(input: $input) { ${CART} } }`

/** Buys a product with the requests of Vendure's storefront guide. */
async function buy(send: Send, id: string): Promise<string> {
  const { token } = await step(send, 'AddingItems', ADD, { id })
  const customer = { firstName: 'Ada', lastName: 'Buyer', emailAddress: newEmail() }
  await step(send, 'AddingItems', CUSTOMER, { input: customer }, token)
  await step(send, 'ArrangingPayment', ARRANGE, {}, token)
  return (await step(send, 'PaymentSettled', PAY, { input: { method: 'card', metadata: {} } }, token)).code
}

async function step(send: Send, state: string, query: string, variables: object, session?: string) {
  const { data, token } = await shop<{ order: Order }>(send, query, variables, session)
  check(data.order.state === state, data)
  return { token, code: data.order.code }
}

async function createProduct(send: Send, { token, taxCategory }: Admin): Promise<string> {
  const name = newName()
  const slug = name.toLowerCase().replaceAll(' ', '-')
  const translations = [{ languageCode: 'en', name, slug, description: DESCRIPTION }]
  const created = await ask<{ createProduct: { id: string } }>(send, 'admin-api', token, CREATE, {
    input: { enabled: true, translations },
  })
  const { id } = created.data.createProduct
  const variant = {
    productId: id,
    sku: slug,
    price: PRICE,
    taxCategoryId: taxCategory,
    stockOnHand: STOCK,
    trackInventory: 'TRUE',
    translations: [{ languageCode: 'en', name }],
  }
  await ask(send, 'admin-api', token, CREATE_VARIANT, { input: [variant] })
  return id
}

async function signIn(send: Send): Promise<Admin> {
  const login = `mutation { login(username: "superadmin", password: "${PASSWORD}") { __typename } }`
  const { token } = await ask(send, 'admin-api', undefined, login)
  const { data } = await ask<{ taxCategories: { items: { id: string }[] } }>(
    send,
    'admin-api',
    token,
    '{ taxCategories { items { id } } }',
  )
  return { token, taxCategory: data.taxCategories.items[0]!.id }
}

/** Creates the products, waits until lists show them, and returns one of them. */
async function fill(send: Send, admin: Admin): Promise<Product> {
  let id = ''
  for (let count = 0; count < PRODUCTS; count++) id = await createProduct(send, admin)
  while ((await shop<SearchResult>(send, LIST, { take: 1 })).data.search.totalItems < PRODUCTS) await sleep(500)
  return (await shop<{ product: Product }>(send, PRODUCT, { id })).data.product
}

const shop = <Data>(send: Send, query: string, variables = {}, token?: string) =>
  ask<Data>(send, 'shop-api', token, query, variables)

/** Sends a GraphQL query. The first response of a session contains the session's token. */
async function ask<Data>(
  send: Send,
  api: string,
  token: string | undefined,
  query: string,
  variables = {},
): Promise<{ data: Data; token: string }> {
  const answer = await send(
    requestWith(token ? { Authorization: `Bearer ${token}` } : {}, 'POST', `/${api}`, { query, variables }),
  )
  const { data, errors } = await json<{ data: Data; errors?: unknown }>(Promise.resolve(answer))
  check(!errors && data, errors)
  return { data, token: token ?? /vendure-auth-token: (\S+)/i.exec(answer.head)?.[1] ?? '' }
}
