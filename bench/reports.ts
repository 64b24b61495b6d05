import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { newId } from '../src/contract/values/ids.ts'
import { onEngines } from '../test/support/app.ts'
import { ownerOf } from '../test/support/dashboard.ts'
import { priceForSale, sell } from '../test/support/sell.ts'
import { Shop } from '../test/support/shop.ts'
import { median, percentile, times } from './measure.ts'
import { insertRows, rowOf, secondsAgo } from './rows.ts'

const ORDERS = 100_000
const SUBSCRIPTIONS = 10_000
const CUSTOMERS = 20_000
const PRODUCTS = 60
const RUNS = 15
const WARM_UP = 5
const TARGET_MS = 300
const YEAR_MS = 365 * 24 * 60 * 60 * 1000

for (const { name, available } of onEngines) {
  if (available) await measureEngine(name)
  else console.log(`\n${name}: ABSENT, so it is SKIPPED.`)
}

/** Measures reports on 100,000 orders of one year, compared with a plain sum over the same orders in the same run. */
async function measureEngine(name: 'sqlite' | 'postgres'): Promise<void> {
  const shop = new Shop()
  await shop.open(name, {})
  try {
    await fill(shop)
    const owner = await ownerOf(shop)
    const from = new Date(Date.now() - YEAR_MS).toISOString().slice(0, 10)
    const plain = await times(RUNS, WARM_UP, () => sumAll(shop))
    console.log(`\n${name}, ${ORDERS.toLocaleString('en')} orders, ${SUBSCRIPTIONS.toLocaleString('en')} subscriptions`)
    console.log(`  the plainest sum                  ${show(plain)}`)
    for (const query of [
      { from, interval: 'day', by: 'product' },
      { from, interval: 'day', by: 'price' },
      { from, interval: 'month', by: 'channel' },
      { by: 'product' },
    ]) {
      const report = await times(RUNS, WARM_UP, () => owner.get('/reports', query))
      const held = await longestHold(() => owner.get('/reports', query))
      const ratio = (median(report) / median(plain)).toFixed(1)
      const missed = median(report) > TARGET_MS ? ` MISSED: the target is ${TARGET_MS} ms` : ''
      const words = `${query.from ? 'a year' : '30 days'} by ${query.interval ?? 'day'} and ${query.by}`
      console.log(
        `  ${words.padEnd(32)}  ${show(report)}  ${ratio} times the sum; others wait ${held.toFixed(0)} ms at most${missed}`,
      )
    }
  } finally {
    await shop.close()
  }
}

/** Returns the longest time for which the event loop was blocked during `run`. */
async function longestHold(run: () => Promise<unknown>): Promise<number> {
  let [longest, last, done] = [0, performance.now(), false]
  const watch = (async () => {
    while (!done) {
      await delay(0)
      const now = performance.now()
      longest = Math.max(longest, now - last)
      last = now
    }
  })()
  await run()
  done = true
  await watch
  return longest
}

async function sumAll({ db, accountId }: Shop): Promise<void> {
  await sql`select sum(amount), sum(amount_refunded), count(*) from orders where account_id = ${accountId} and paid_at is not null`.execute(
    db,
  )
}

function show(samples: number[]): string {
  return `median ${median(samples).toFixed(1).padStart(6)} ms, p95 ${percentile(samples, 0.95).toFixed(1).padStart(6)} ms`
}

async function fill(shop: Shop): Promise<void> {
  const once = await sell(shop, [{ price_variant: (await priceForSale(shop)).id }])
  const monthly = { amount: 900, billing_type: 'subscription', recurring_interval: 'month' }
  const begun = await sell(shop, [{ price_variant: (await priceForSale(shop, monthly)).id }])
  const [order, item, subscription] = [
    await rowOf(shop, 'orders', once.id),
    await rowOf(shop, 'order_items', once.line_items[0].id),
    await rowOf(shop, 'subscriptions', begun.subscription),
  ]
  const made = (prefix: string, count: number) => Array.from({ length: count }, () => newId(prefix))
  const [customers, products, prices] = [made('cus', CUSTOMERS), made('prod', PRODUCTS), made('price', 2 * PRODUCTS)]
  const channels = ['api', 'link', 'storefront']
  const countries = ['DE', 'US', 'FR', null]
  const sold = Array.from({ length: ORDERS }, (_, index) => {
    const paid_at = secondsAgo(YEAR_MS * (1 - index / ORDERS))
    const amounts = { amount: 1000 + ((index * 7919) % 90_000), amount_refunded: index % 20 ? 0 : 500 }
    const currency = index % 10 ? 'usd' : 'eur'
    const id = newId('ord')
    const customer = customers[(index * 7) % CUSTOMERS]
    const previous_paid_at = index < CUSTOMERS ? null : secondsAgo(YEAR_MS * (1 - (index - CUSTOMERS) / ORDERS))
    const from = { channel: channels[index % 3], country: countries[index % 4] }
    return {
      order: { ...order, id, customer, currency, ...amounts, ...from, paid_at, previous_paid_at, created_at: paid_at },
      item: {
        ...{ ...item, id: newId('ordi'), order: id, currency, ...amounts, paid_at, created_at: paid_at },
        ...{ product: products[index % PRODUCTS], price_variant: prices[index % (2 * PRODUCTS)] },
      },
    }
  })
  await insertRows(
    shop,
    'orders',
    sold.map(({ order }) => order),
  )
  await insertRows(
    shop,
    'order_items',
    sold.map(({ item }) => item),
  )
  const subscriptions = Array.from({ length: SUBSCRIPTIONS }, (_, index) => {
    const at = secondsAgo(2 * YEAR_MS * (1 - index / SUBSCRIPTIONS))
    return {
      ...subscription,
      id: newId('sub'),
      customer: customers[index % CUSTOMERS],
      created_at: at,
      first_charged_at: at,
    }
  })
  await insertRows(shop, 'subscriptions', subscriptions)
  // PostgreSQL's autovacuum would do the same within a minute.
  if (shop.running.app.database.engine === 'postgres') await sql`vacuum analyze`.execute(shop.db)
}
