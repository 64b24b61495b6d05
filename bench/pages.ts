import { sql } from 'kysely'
import { newId } from '../src/contract/values/ids.ts'
import { anyTable } from '../src/records/records.ts'
import { firstLoadOf } from '../test/support/first-load.ts'
import { type Person, signIn } from '../test/support/person.ts'
import { priceForSale, sell } from '../test/support/sell.ts'
import { Shop } from '../test/support/shop.ts'
import { type Engine, onEachEngine } from './engines.ts'
import { floorOf, shownFloor } from './floor.ts'
import { median, percentile, times } from './measure.ts'

const ORDERS = 100_000
const CUSTOMERS = 1_000
const BATCH = 500
const RUNS = 30
const WARM_UP = 10
const TARGET_MS = 30
const FIRST_LOAD_TARGET = 100_000
/** The number of rows on a page with a list, without the header row. */
const ROWS = 25
const BASE = '/dashboard/my-shop'

await onEachEngine(measureEngine)

/** Measures dashboard pages of a shop with 100,000 orders, compared with the same list over the API. */
async function measureEngine({ name, directory, settings }: Engine): Promise<void> {
  const shop = new Shop()
  // The settings decide which database is used, so the engine's name does not matter.
  await shop.open('sqlite', settings)
  try {
    await fill(shop)
    const person = await signIn(shop.running)
    console.log(`\n${name}, ${ORDERS.toLocaleString('en')} orders`)
    const api = await timed(() => shop.running.api('GET', '/orders?limit=25&expand=customer'))
    console.log(`  the API's list of 25                ${show(api)}`)
    for (const path of await paths(shop)) {
      const page = await timed(async () => {
        const { status, html } = await person.get(BASE + path)
        if (status !== 200 || !html.includes('</html>')) throw new Error(`${path} answers ${status}`)
        if (isList(path) && html.split('<tr').length < ROWS) throw new Error(`${path} has too few rows`)
      })
      const ratio = (median(page) / median(api)).toFixed(1)
      const missed = median(page) > TARGET_MS ? ` MISSED: the target is ${TARGET_MS} ms` : ''
      console.log(`  ${(path || '/').padEnd(34)}  ${show(page)}  ${ratio} times the API's list${missed}`)
    }
    if (settings.DATABASE_URL === undefined) await firstLoad(person)
    else await floor(settings.DATABASE_URL, directory)
  } finally {
    await shop.close()
  }
}

async function floor(url: string, directory: string): Promise<void> {
  const list = await floorOf(url, { directory, seconds: 3, clients: 1 }, async (client) => {
    const orders = `from orders where account_id = (select account_id from orders limit 1) order by id desc limit ${ROWS + 1}`
    const { rows } = await client.query<{ customer: string }>(`select customer ${orders}`)
    const customers = [...new Set(rows.map(({ customer }) => `'${customer}'`))]
    const items = `select * from order_items where account_id = (select account_id from orders limit 1) and "order" in (select id ${orders})`
    return [
      `select * ${orders}`,
      `select * from customers where account_id = (select account_id from orders limit 1) and id in (${customers})`,
      items,
    ]
  })
  console.log(`  floor of the list, its rows: ${shownFloor(list)}`)
}

function isList(path: string): boolean {
  return /^\/\w+(\?|$)/.test(path)
}

async function paths(shop: Shop): Promise<string[]> {
  const [order] = (await shop.get('/orders?limit=1')).data
  const after = (await shop.get('/orders?limit=100')).data.at(-1).id
  return [
    '',
    '/orders',
    `/orders?starting_after=${after}`,
    '/orders?status=failed',
    '/orders?sort=-amount',
    `/orders?customer=${order.customer}`,
    '/customers',
    '/customers?sort=-total_spend',
    '/customers?query=shopper',
    `/orders/${order.id}`,
    `/customers/${order.customer}`,
  ]
}

async function firstLoad(person: Person): Promise<void> {
  const { sent, unpacked, answers } = await firstLoadOf(person, `${BASE}/orders`)
  const missed = sent > FIRST_LOAD_TARGET ? ` MISSED: the target is ${FIRST_LOAD_TARGET / 1000} KB` : ''
  const show = (bytes: number) => `${(bytes / 1000).toFixed(0)} KB`
  console.log(`  first load: ${show(sent)} sent in ${answers} answers (${show(unpacked)} unpacked)${missed}`)
}

async function timed(run: () => Promise<unknown>): Promise<number[]> {
  return times(RUNS, WARM_UP, run)
}

function show(samples: number[]): string {
  return `median ${median(samples).toFixed(1).padStart(6)} ms, p95 ${percentile(samples, 0.95).toFixed(1).padStart(6)} ms`
}

/** Makes one sale and copies its order and its customer. */
async function fill(shop: Shop): Promise<void> {
  const price = await priceForSale(shop)
  const { id } = await sell(shop, [{ price_variant: price.id }])
  const { database } = shop.running.app
  const order = await anyTable({ db: database.read })
    .selectFrom('orders')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const whose = anyTable({ db: database.read })
    .selectFrom('customers')
    .selectAll()
    .where('id', '=', String(order.customer))
  const customer = await whose.executeTakeFirstOrThrow()
  const customers = Array.from({ length: CUSTOMERS }, (_, index) => {
    const email = `shopper-${index}@example.com`
    return {
      ...customer,
      id: newId('cus'),
      email,
      name: `Buyer ${index}`,
      search_text: `${email} buyer ${index}`,
      total_spend: index,
    }
  })
  await insert(shop, 'customers', customers)
  const statuses = ['succeeded', 'succeeded', 'succeeded', 'refunded', 'failed']
  const times = Array.from({ length: ORDERS }, (_, index) =>
    new Date(Date.now() - (ORDERS - index) * 300_000).toISOString().replace(/\.\d+/, ''),
  )
  const orders = times.map((at, index) => ({
    ...order,
    id: newId('ord'),
    customer: customers[(index * 7) % CUSTOMERS]!.id,
    status: statuses[index % statuses.length],
    amount: 1_000 + ((index * 7_919) % 90_000),
    created_at: at,
    updated_at: at,
    paid_at: at,
  }))
  await insert(shop, 'orders', orders)
  // PostgreSQL's autovacuum would do the same within a minute.
  if (database.engine === 'postgres') await sql`vacuum analyze`.execute(database.read)
}

async function insert({ running }: Shop, table: string, rows: Record<string, unknown>[]): Promise<void> {
  for (let start = 0; start < rows.length; start += BATCH)
    await running.app.database.transaction(({ db }) =>
      anyTable({ db })
        .insertInto(table)
        .values(rows.slice(start, start + BATCH) as never)
        .execute(),
    )
}
