import { sql } from 'kysely'
import { anyTable } from '../src/records/records.ts'
import { onEngines } from '../test/support/app.ts'
import { Shop } from '../test/support/shop.ts'
import { fill, ORDERS } from './many-orders.ts'
import { median, percentile, times } from './measure.ts'

const RUNS = 15
const WARM_UP = 5

for (const { name, available } of onEngines) {
  if (available) await measureEngine(name)
  else console.log(`\n${name}: ABSENT, so it is SKIPPED.`)
}

/** Lists of orders that are narrowed by what few of 100,000 have, by what many have, and by what none has. */
async function measureEngine(engine: 'sqlite' | 'postgres'): Promise<void> {
  const shop = new Shop()
  await shop.open(engine, {})
  try {
    await fill(shop)
    const few = anyTable({ db: shop.db }).selectFrom('orders').select('id').orderBy('id').limit(20)
    await anyTable({ db: shop.db })
      .updateTable('orders')
      .set({ country: 'NZ', currency: 'nzd' })
      .where('id', 'in', few)
      .execute()
    const lines = await anyTable({ db: shop.db })
      .selectFrom('order_items')
      .select('price_variant')
      .where('price_variant', 'like', 'price_%')
      .limit(1)
      .execute()
    if (engine === 'postgres') await sql`vacuum analyze`.execute(shop.db)
    console.log(`\n${engine}, ${ORDERS.toLocaleString('en')} orders`)
    const price = String(lines[0]?.price_variant)
    for (const query of [
      '',
      'country=DE',
      'country=NZ',
      'country=IS',
      'currency=eur',
      'currency=nzd',
      'currency=isk',
      `price_variant=${price}`,
      'country=NZ&status=succeeded',
      'country=IS&sort=-amount',
    ]) {
      const took = await times(RUNS, WARM_UP, () => shop.get(`/orders?limit=25&${query}`))
      console.log(
        `  ${query.slice(0, 34).padEnd(36)} median ${median(took).toFixed(1).padStart(7)} ms, p95 ${percentile(took, 0.95).toFixed(1).padStart(7)} ms`,
      )
    }
  } finally {
    await shop.close()
  }
}
