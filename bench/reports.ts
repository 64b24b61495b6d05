import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { onEngines } from '../test/support/app.ts'
import { ownerOf } from '../test/support/dashboard.ts'
import { Shop } from '../test/support/shop.ts'
import { fill, ORDERS, SUBSCRIPTIONS, YEAR_MS } from './many-orders.ts'
import { median, percentile, times } from './measure.ts'

const RUNS = 15
const WARM_UP = 5
const TARGET_MS = 300

for (const { name, available } of onEngines) {
  if (available) await measureEngine(name)
  else console.log(`\n${name}: ABSENT, so it is SKIPPED.`)
}

/** Reports on 100,000 orders of a year, against the plainest sum of the same orders in the same run. */
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

/** The longest time in which nobody else got a turn while something ran. */
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
