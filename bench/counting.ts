import { sql } from 'kysely'
import { newId } from '../src/contract/values/ids.ts'
import { onEngines } from '../test/support/app.ts'
import { priceForSale, sell } from '../test/support/sell.ts'
import { type Body, Shop } from '../test/support/shop.ts'
import { execute } from '../test/tasks/support.ts'
import { median, percentile, times } from './measure.ts'
import { insertRows, rowOf, secondsAgo } from './rows.ts'

const ORDERS = 200_000
const CUSTOMERS = 5_000
const RUNS = 15
const WARM_UP = 5
const TARGET_MS = 50
const YEAR_MS = 365 * 24 * 60 * 60 * 1000
const STATUSES = ['succeeded', 'succeeded', 'succeeded', 'refunded', 'failed']

const FIGURES = [
  'list("/orders").count',
  'list("/orders", paid_at: month).count',
  'list("/orders", currency: "usd").sum("amount")',
  'list("/orders", currency: "usd", paid_at: month).sum("amount")',
  'list("/orders").minimum("amount")',
  'list("/orders").maximum("paid_at")',
  'list("/orders").group_by("currency").sum("amount")',
  'list("/orders").group_by("status").count',
  'list("/orders").group_by("status", "currency").sum("amount")',
  'list("/orders").group_by("customer").count.size',
]
const ROWS = 'list("/orders", currency: "usd").sum { |row| row["amount"] }'

for (const { name, available } of onEngines) {
  if (available) await measureEngine(name)
  else console.log(`\n${name}: ABSENT, so it is SKIPPED.`)
}

/** Measures programs that ask for a figure of 200,000 orders of one year, compared with one that reads their rows. */
async function measureEngine(name: 'sqlite' | 'postgres'): Promise<void> {
  const shop = new Shop()
  await shop.open(name, {})
  try {
    await fill(shop)
    const run = (program: string) => times(RUNS, WARM_UP, () => resultOf(shop, program))
    const empty = median(await run('nil'))
    console.log(`\n${name}, ${ORDERS.toLocaleString('en')} orders; an empty program takes ${empty.toFixed(1)} ms`)
    for (const program of FIGURES) {
      const samples = await run(program)
      const missed = median(samples) > TARGET_MS ? ` MISSED: the target is ${TARGET_MS} ms` : ''
      const p95 = percentile(samples, 0.95).toFixed(1).padStart(6)
      console.log(
        `  ${program.padEnd(66)}  median ${median(samples).toFixed(1).padStart(6)} ms, p95 ${p95} ms${missed}`,
      )
    }
    const [rows] = await times(1, 0, async () =>
      console.log(`  ${ROWS}: ${(await execute(shop, ROWS)).error?.type ?? 'done'}`),
    )
    console.log(`  ${ROWS.padEnd(66)}  ended after ${rows!.toFixed(0)} ms`)
  } finally {
    await shop.close()
  }
}

async function resultOf(shop: Shop, program: string): Promise<Body> {
  const { result, error } = await execute(shop, program)
  if (error) throw new Error(`${program}: ${error.message}`)
  return result
}

async function fill(shop: Shop): Promise<void> {
  const sold = await sell(shop, [{ price_variant: (await priceForSale(shop)).id }])
  const order = await rowOf(shop, 'orders', sold.id)
  const customers = Array.from({ length: CUSTOMERS }, () => newId('cus'))
  const made = Array.from({ length: ORDERS }, (_, index) => {
    const at = secondsAgo(YEAR_MS * (1 - index / ORDERS))
    const times = { paid_at: at, created_at: at, updated_at: at }
    const status = STATUSES[index % STATUSES.length]
    const customer = customers[(index * 7) % CUSTOMERS]
    const amount = 1000 + ((index * 7919) % 90_000)
    return { ...order, id: newId('ord'), ...times, status, customer, amount, currency: index % 10 ? 'usd' : 'eur' }
  })
  await insertRows(shop, 'orders', made)
  // PostgreSQL's autovacuum would do the same within a minute.
  if (shop.running.app.database.engine === 'postgres') await sql`vacuum analyze`.execute(shop.db)
}
